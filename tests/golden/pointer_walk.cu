// s2sad: --of y --wrt x,w
// A weighted sum of each row: the pointers walk, with and without a stride.
extern "C" __global__ void pointer_walk(const float *x, const float *w, float *y, int rows, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    const float *p = x + r;
    const float *q = w;
    const float *end = w + n;
    float s = 0.0f;
    while (q < end) {
        float v = *p;
        s += v * v * *q++;
        p += rows;
    }
    y[r] = s;
}

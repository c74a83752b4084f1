// [stmt.switch]: break leaves the inner one; return leaves the function.
static __device__ float chosen(float v, int a, int b)
{
    switch (a) {
    case 0:
        switch (b) {
        case 0:
            return v * v;
        case 1:
            v = sinf(v);
            break;
        }
        v *= 2.0f;
    case 1:
        v += 0.5f * v * v;
        break;
    default:
        return v * 3.0f;
    }
    return v * v * v;
}
extern "C" __global__ void switch_within_a_switch(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    s = chosen(s, m[i] % 3, m[i + 1] & 1) * x[1];
    y[i] = chosen(s, 0, m[i] % 3);
}

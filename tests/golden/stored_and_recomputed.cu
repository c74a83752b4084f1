// s2sad: --of y --wrt x --store v --recompute e
// The author decides: v goes to the tape, e doesn't.
extern "C" __global__ void stored_and_recomputed(const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.0f;
    for (int k = 0; k < m; ++k) {
        float v = sinf(x[i * m + k]) * cosf(x[i * m + k]);
        float e = expf(-v * v);
        s += v * e;
    }
    y[i] = s;
}

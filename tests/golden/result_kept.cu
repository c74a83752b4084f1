// s2sad: --of y --wrt x
// exp, tanh, sqrt, a quotient and a reciprocal: their partials want the result, which is still there,
// while the argument is gone.
extern "C" __global__ void result_kept(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    v = expf(v);
    v = sqrtf(v);
    v = tanhf(v);
    v = 1.0f / v;
    v = 2.0f / (1.0f + v);
    v = cbrtf(v);
    v = rsqrtf(v);
    y[i] = v;
}

extern "C" __global__ void ternary_chains(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = m[i] < 2 ? x[i] : m[i] < 4 ? x[i] * x[i] : m[i] < 6 ? 2.0f : x[i + 1];
    s = s > 1.0f ? (s > 2.0f ? s : s * s) : s ? s : 1.0f;
    y[i] = s;
}

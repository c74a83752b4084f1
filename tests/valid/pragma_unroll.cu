extern "C" __global__ void pragma_unroll(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.0f;
#pragma unroll
    for (int k = 0; k < 4; ++k)
        s += x[k] * x[i];
#pragma unroll 2
    for (int k = 0; k < 4; ++k)
        s += x[k];
#pragma nounroll
    while (s > 100.0f)
        s *= 0.5f;
    _Pragma("unroll") for (int k = 0; k < 2; ++k) s += x[k];
#pragma GCC diagnostic push
    y[i] = s;
}

// refused: not-supported
__device__ constexpr float operator""_f(long double v) { return float(v); }
extern "C" __global__ void literal_operator(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = x[i] * x[i] * 2.0_f;
}

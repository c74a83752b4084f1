auto __device__ f(float v) -> float { return v * v; }
__device__ auto g(float v) -> float
{
    return 2.0f * v;
}
__device__ inline auto h(int i, const float *x) -> const float & { return x[i]; }
extern "C" __global__ void trailing_return_type(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = f(x[i]) * g(x[i]) * h(i, x);
}

// refused: no-varargs
__device__ float sum(float a) { return a; }
template <typename... R> __device__ float sum(float a, R... rest) { return a + sum(rest...); }
extern "C" __global__ void template_variadic(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = sum(x[i], x[i] * x[i], 2.0f);
}

// refused: no-varargs
template <typename... R> __device__ float sum(R... r) { return (r + ...); }
extern "C" __global__ void template_fold(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = sum(x[i], x[i] * x[i], 2.0f);
}

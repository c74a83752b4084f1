template <int T>
__device__ __launch_bounds__(128) float other(float y) { return y * T; }
extern "C" __global__ void launch_bounds(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = x[i] * other<2>(x[i]);
}

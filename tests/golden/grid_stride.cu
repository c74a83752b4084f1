// s2sad: --of y --wrt x,a
// Fewer threads than elements: two loops with the same stride.
extern "C" __global__ void grid_stride(const float *x, float a, float *y, float *z, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        z[i] = a * x[i];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = z[i] * x[i] + a;
}

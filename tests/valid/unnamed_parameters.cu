__device__ float f(float v, int, float = 1.0f) { return v * v; }
__device__ float g(float v, float scale = 2.0f, int = 0) { return v * scale; }
extern "C" __global__ void unnamed_parameters(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = f(x[i], 2, 3.0f) * g(x[i]);
}

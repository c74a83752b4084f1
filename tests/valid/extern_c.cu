extern "C" {
__device__ float f(float v) { return v * v; }
}
extern "C" __device__ float g(float v) { return 2.0f * v; }
extern "C" __global__ void extern_c(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = f(x[i]) * g(x[i]);
}

__device__ float f(float v) { return v * v; }
__device__ int f(int v) { return v; }
__device__ float f(float a, float b) { return a * b; }
extern "C" __global__ void overloads(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = f(x[i]) * f(2) * f(x[i], x[i]);
}

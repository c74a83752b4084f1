__device__ float f(float v) noexcept { return v * v; }
__device__ float g(float v) noexcept(true) { return v; }
struct S {
    float v;
    __device__ float get() const noexcept { return v; }
};
extern "C" __global__ void noexcept_(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = f(x[i]) * g(x[i]) * S{x[i]}.get();
}

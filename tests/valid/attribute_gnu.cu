[[gnu::always_inline]] __device__ inline float twice(float v) { return v * v; }
[[using gnu: unused, noinline]] __device__ float aligned_to() { return 2.0f; }
[[deprecated("use twice")]] __device__ float old(float v) { return v; }
extern "C" __global__ void attribute_gnu(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    [[gnu::unused]] float t = x[i];
    y[i] = twice(x[i]) * aligned_to();
}

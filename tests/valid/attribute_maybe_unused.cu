[[maybe_unused]] __device__ float used(float v, [[maybe_unused]] float w) { return v * v; }
extern "C" __global__ void attribute_maybe_unused(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    [[maybe_unused]] float t = x[i];
    [[maybe_unused]] const int count = 3;
    y[i] = used(x[i], 1.0f);
}

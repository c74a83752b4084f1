#include <utility>
extern "C" __global__ void swap_std(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i], b = 2.0f;
    std::swap(a, b);
    y[i] = a * b * b * x[i];
}

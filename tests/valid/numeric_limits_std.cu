#include <limits>
extern "C" __global__ void numeric_limits_std(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i] > std::numeric_limits<float>::max() ? 1.0f : x[i];
    y[i] = a * a;
}

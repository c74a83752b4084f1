#include <algorithm>
#include <cmath>
extern "C" __global__ void min_max_std(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = std::max(x[i], 0.5f) * std::min(x[i], 1.0f) * max(m[i], 2) * std::sqrt(x[i]) * ::sinf(x[i]) * std::abs(x[i]) * std::fma(x[i], 2.0f, 1.0f);
}

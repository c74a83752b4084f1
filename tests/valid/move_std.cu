// refused: not-supported
#include <utility>
extern "C" __global__ void move_std(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = std::move(x[i]) * 2.0f;
    y[i] = a * a;
}

#include <cassert>
extern "C" __global__ void assert_(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    assert(i >= 0);
    assert(x[i] > 0.0f && "positive");
    y[i] = x[i] * x[i];
}

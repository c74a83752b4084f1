#include <cstdio>
extern "C" __global__ void printf_(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (i < 0)
        printf("%d %f\n", i, x[i]);
    y[i] = x[i] * x[i];
}

// help: include the file that defines it
// s2sad: --of y --wrt x
#include "response.cuh"

extern "C" __global__ void respond(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = response(x[i]);
}

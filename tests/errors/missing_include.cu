#include "physics/constants.h"
// columns 1 to 30: missing-include: included here

extern "C" __global__ void fall(const float *t, float *y)
{
    int i = threadIdx.x;
    y[i] = 0.5f * GRAVITY * t[i] * t[i];
}

#ifndef BLOCK
    #error BLOCK is not defined
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error-directive: reached with the macros that are defined
#endif

extern "C" __global__ void scale(const float *x, float *y)
{
    y[threadIdx.x] = 2.0f * x[threadIdx.x];
}

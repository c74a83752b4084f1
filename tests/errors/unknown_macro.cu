#include <ATen/cuda/detail/KernelUtils.h>

extern "C" __global__ void scale(const float *x, float *y, int n)
{
    CUDA_KERNEL_LOOP(i, n)
//  ^^^^^^^^^^^^^^^^ unknown-macro: at the start of a statement
    {
        y[i] = 2.0f * x[i];
    }
}

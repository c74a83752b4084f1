#include <ATen/cuda/detail/KernelUtils.h>

extern "C" __global__ void scale(const float *x, float *y, int n)
{
    CUDA_KERNEL_LOOP(i, n)
//  ^^^^^^^^^^^^^^^^ unknown-macro: stands where a statement begins
    {
        y[i] = 2.0f * x[i];
    }
}

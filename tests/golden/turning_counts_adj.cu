// turning_counts_adj: adjoint of turning_counts (turning_counts.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform turning_counts.cu --of y --wrt x
//
// Call with x as it was before turning_counts. Seed adj_y with dJ/dy: it is left alone,
// because turning_counts stores each element of y at most once. dJ/dx is added to
// adj_x. Each addition to adj_x rounds to half precision. y, turns and count are
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#include <cuda_fp16.h>

extern "C" __global__ void turning_counts_adj(const __half *x, __half *adj_x,
                                              __half *y, const __half *adj_y, int *turns,
                                              long long *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // 9:  y[i] = x[i] * x[i] * __ushort_as_half(0x4200) + __short_as_half(0x3c00)
        adj_x[i] = __float2half(__half2float(adj_x[i])
                                + 6.0f * __half2float(x[i]) * __half2float(adj_y[i]));
    }
}

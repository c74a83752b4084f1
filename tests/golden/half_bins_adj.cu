// half_bins_adj: adjoint of half_bins (half_bins.cu:7).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform half_bins.cu --of total --wrt x,scale --assume launch:1d
//
// Call with x and scale as they were before half_bins. Seed adj_total with dJ/dtotal:
// it is left alone, because half_bins only adds to total. dJ/dx is added to adj_x;
// dJ/dscale is added to adj_scale. Each addition to adj_x and adj_scale rounds to half
// precision. total is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v                  reloaded   still in its variable
//   x[..], scale[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]       +=, one owner   one thread per element
//   adj_scale[..]   atomicAdd       not proved that two threads never meet in scale[i %
//                                   bins]
//   adj_part[..]    +=, by phase    between two barriers one thread per element
//
// At kinks and singular points:
//   fabsf: at 0 its derivative is 0
//
// Assumed: arrays don't overlap, no index wraps, launch:1d.

#include <cuda_fp16.h>

#define BLOCK 64

__global__ void half_bins_adj(const half *x, half *adj_x,
                              const half *scale, half *adj_scale,
                              half *total, const half *adj_total, int n, int bins)
{
    // For a 1-D launch, as it was declared; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1) {
        adj_x[0] = __float2half(nanf(""));
        adj_scale[0] = __float2half(nanf(""));
        return;
    }
    __shared__ float adj_part[BLOCK];
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x)
        adj_part[q] = 0.0f;
    __syncthreads();
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    half v = __float2half(0.0f);
    if (i < n)
        v = hlog(__hadd(__habs(x[i]), __float2half(1.0f)));
    if (t == 0) {
        // 23:  atomicAdd(&total[0], part[0])
        adj_part[0] += __half2float(adj_total[0]);
    }
    for (int d = 1; d <= BLOCK / 2; d *= 2) {
        __syncthreads();
        if (t < d) {
            // 19:  part[t] = part[t] + part[t + d]
            adj_part[t + d] += adj_part[t];
        }
    }
    __syncthreads();

    // 15:  part[t] = v * scale[i % bins]
    float g = adj_part[t];
    atomicAdd(&adj_scale[i % bins], __float2half(__half2float(v) * g));
    if (i < n) {
        // 14:  v = hlog(__hadd(__habs(x[i]), __float2half(1.0f)))
        adj_x[i] = __float2half(__half2float(adj_x[i])
                                + (__half2float(x[i]) > 0.0f ? 1.0f : __half2float(x[i]) < 0.0f
                                   ? -1.0f : 0.0f) * __half2float(scale[i % bins]) * g
                                / __half2float(__hadd(__habs(x[i]), __float2half(1.0f))));
    }
}

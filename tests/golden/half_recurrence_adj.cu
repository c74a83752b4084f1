// half_recurrence_adj: adjoint of half_recurrence (half_recurrence.cu:7).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform half_recurrence.cu --of y --wrt x,rate --assume launch:1d
//
// Call with x as it was before half_recurrence. adj_y comes in as dJ/dy after
// half_recurrence and goes out as dJ/dy before it, element by element. dJ/dx is added
// to adj_x; dJ/drate is added to adj_rate. Each addition to adj_y, adj_x and adj_rate
// rounds to half precision. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   ds/drate   tape_ds_drate[STEPS], registers   partial of line 13, a load instead of
//                                                1 sinf
//   ds/ds      tape_ds_ds[STEPS], registers      partial of line 13, a load instead of
//                                                1 cosf
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_rate    reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, launch:1d.

#include <cuda_fp16.h>

#define STEPS 6

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(__half *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, __float2half(value));
    }
}

__global__ void half_recurrence_adj(half *y, half *adj_y,
                                    const half *x, half *adj_x,
                                    half rate, half *adj_rate, int n)
{
    // For a 1-D launch, as it was declared; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1) {
        adj_y[0] = __float2half(nanf(""));
        adj_x[0] = __float2half(nanf(""));
        *adj_rate = __float2half(nanf(""));
        return;
    }
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_rate_sum = 0.0f;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        half s = x[i];
        float tape_ds_drate[STEPS];
        float tape_ds_ds[STEPS];
        for (int k = 0; k < STEPS; ++k) {
            float sine;
            float cosine;
            sincosf(__half2float(s), &sine, &cosine);
            tape_ds_drate[k] = __half2float(__hsub(__float2half(sine),
                                                   __hmul(__hmul(s, s), __float2half(0.25f))));
            tape_ds_ds[k] = 1.0f + __half2float(rate) * cosine
                            - 0.5f * __half2float(rate) * __half2float(s);
            s = __hadd(s,
                       __hmul(rate,
                              __hsub(__float2half(sine),
                                     __hmul(__hmul(s, s), __float2half(0.25f)))));
        }

        // ---- reverse sweep ------------------------------------------------------

        float adj_s = 0.0f;
        for (int k = STEPS - 1; k >= 0; --k) {
            // 14:  y[i] += s
            adj_s += __half2float(adj_y[i]);

            // 13:  s = s + rate * (hsin(s) - s * s * (half)0.25f)
            adj_rate_sum += tape_ds_drate[k] * adj_s;
            adj_s *= tape_ds_ds[k];
        }

        // 11:  half s = x[i]
        adj_x[i] = __float2half(__half2float(adj_x[i]) + adj_s);
    }
    block_add(adj_rate, adj_rate_sum);
}

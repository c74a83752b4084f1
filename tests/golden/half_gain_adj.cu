// half_gain_adj: adjoint of half_gain (half_gain.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform half_gain.cu --of y --wrt x,gain --assume launch:1d
//
// Call with x and gain as they were before half_gain. Seed adj_y with dJ/dy: it is left
// alone, because half_gain stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dgain is added to adj_gain. Each addition to adj_x and adj_gain rounds to
// half precision. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v          reloaded   still in its variable
//   gain[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner       one thread per element
//   adj_gain[..]   reduced per block   every thread reads gain[0]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, launch:1d.

#include <cuda_fp16.h>

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

__global__ void half_gain_adj(const half *x, half *adj_x,
                              const __half *gain, __half *adj_gain,
                              __half *y, const __half *adj_y, float offset, int n)
{
    // For a 1-D launch, as it was declared; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1) {
        adj_x[0] = __float2half(nanf(""));
        adj_gain[0] = __float2half(nanf(""));
        return;
    }
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_gain_0 = 0.0f;
    if (i < n) {
        float v = __half2float(x[i]) - offset;

        // 10:  y[i] = __float2half(tanhf(v * __half2float(gain[0])))
        float r = tanhf(v * __half2float(gain[0]));
        float g = (1.0f - r * r) * __half2float(adj_y[i]);
        adj_gain_0 = v * g;

        // 9:  float v = __half2float(x[i]) - offset
        adj_x[i] = __float2half(__half2float(adj_x[i]) + __half2float(gain[0]) * g);
    }
    block_add(&adj_gain[0], adj_gain_0);
}

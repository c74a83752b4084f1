// absent_bias_adj: adjoint of absent_bias (absent_bias.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform absent_bias.cu --of y,sums --wrt x,bias,scale
//
// Call with x, bias and scale as they were before absent_bias. Seed adj_y with dJ/dy:
// it is left alone, because absent_bias stores each element of y at most once. Seed
// adj_sums with dJ/dsums: it is left alone, because absent_bias stores each element of
// sums at most once. dJ/dx is added to adj_x; dJ/dbias is added to adj_bias; dJ/dscale
// is added to adj_scale. y and sums are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 10)   tape_v, a register   line 12 overwrites it
//   v (line 11)   recomputed           from values at hand, in the reversed iteration
//   scale[..]     reloaded             nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]       +=, one owner       each thread has elements of its own
//   adj_bias[..]    atomicAdd           every block reads the same by[j]
//   adj_scale[..]   reduced per block   every thread reads scale[0]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, adj_bias is nullptr
// where bias is, adj_scale is nullptr where scale is, adj_sums is nullptr where sums
// is.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(float *where, float value)
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
            atomicAdd(where, value);
    }
}

__global__ void absent_bias_adj(const float *x, float *adj_x,
                                const float *bias, float *adj_bias,
                                const float *scale, float *adj_scale,
                                float *y, const float *adj_y,
                                float *sums, const float *adj_sums, int n)
{
    int row = blockIdx.x;
    float adj_s = 0.0f;
    if (sums != nullptr) {
        // 17:  sums[row * blockDim.x + threadIdx.x] = s
        adj_s = adj_sums[row * blockDim.x + threadIdx.x];
    }
    float adj_scale_0 = 0.0f;
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        float v = x[row * n + j];
        float v_2 = bias != nullptr ? v + bias[j] : v;
        float tape_v = v_2;
        if (scale != nullptr && j > 0)
            v_2 *= scale[0];

        // 14:  y[row * n + j] = v * expf(v)
        float g = adj_y[row * n + j];
        float adj_v_2 = expf(v_2) * g + v_2 * expf(v_2) * g;

        // 13:  s += v * v
        adj_v_2 += 2.0f * v_2 * adj_s;
        if (scale != nullptr && j > 0) {
            // 12:  v *= scale[0]
            adj_scale_0 += tape_v * adj_v_2;
            adj_v_2 *= scale[0];
        }
        float adj_v;

        // 10:  float v = shifted(bias, x[row * n + j], j)
        if (bias != nullptr) {
            adj_v = adj_v_2;
            atomicAdd(&adj_bias[j], adj_v_2);
        } else {
            adj_v = adj_v_2;
        }

        // 10:  shifted(bias, x[row * n + j], j)
        adj_x[row * n + j] += adj_v;
    }
    block_add(&adj_scale[0], adj_scale_0);
}

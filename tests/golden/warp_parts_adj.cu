// warp_parts_adj: adjoint of warp_parts (warp_parts.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_parts.cu --of y --wrt x
//
// Call with x as it was before warp_parts. Seed adj_y with dJ/dy: it is left alone,
// because warp_parts stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, s, all   reloaded   still in its variable
//   x[..]       reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner       one thread per element
//   adj_part[..]   reduced per block   every thread reads the same part[k]
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

#define WARPS 2
#define FULL 0xffffffffu

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
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

extern "C" __global__ void warp_parts_adj(const float *x, float *adj_x,
                                          float *y, const float *adj_y, int n)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    __shared__ float part[WARPS];
    __shared__ float adj_part[WARPS];
    for (int q = threadIdx.x; q < WARPS; q += blockDim.x)
        adj_part[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] * x[i] + 1.0f : 0.0f;
    float s = v;
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_xor_sync(FULL, s, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = s;
    __syncthreads();
    float all = 0.0f;
    for (int k = 0; k < WARPS; ++k)
        all += part[k];

    // ---- reverse sweep ------------------------------------------------------

    float adj_all = 0.0f;
    float adj_s = 0.0f;
    float adj_v = 0.0f;
    if (i < n) {
        // 20:  y[i] = v / s + v / all
        float g = adj_y[i];
        float g_2 = g / s;
        adj_v = g_2;
        adj_s -= v / s * g_2;
        float g_3 = g / all;
        adj_v += g_3;
        adj_all = -(v / all * g_3);
    }
    for (int k = 0; k < WARPS; ++k) {
        // 18:  all += part[k]
        block_add(&adj_part[k], adj_all);
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        // 14:  part[threadIdx.x / 32] = s
        adj_s += adj_part[threadIdx.x / 32];
    }
    for (int d = 1; d <= 16; d *= 2) {
        // 12:  s += __shfl_xor_sync(FULL, s, d)
        adj_s += __shfl_xor_sync(FULL, adj_s, d);
    }

    // 10:  float s = v
    adj_v += adj_s;
    // 9:  float v = i < n ? x[i] * x[i] + 1.0f : 0.0f
    if (i < n)
        adj_x[i] += 2.0f * x[i] * adj_v;
}

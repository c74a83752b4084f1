// same_flag_adj: adjoint of same_flag (same_flag.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform same_flag.cu --of y --wrt x
//
// Call with x as it was before same_flag. Seed adj_y with dJ/dy: it is left alone,
// because same_flag stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   done[..], s[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_s[..]   reduced per block   every thread reads s[0]
//   adj_s[..]   atomicAdd           other threads add to s[t] too
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

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

__global__ void same_flag_adj(const float *x, float *adj_x, float *y, const float *adj_y, int n)
{
    __shared__ float s[32];
    __shared__ float adj_s[32];
    __shared__ int done[1];
    for (int q = threadIdx.x; q < 32; q += blockDim.x)
        adj_s[q] = 0.0f;
    int t = threadIdx.x;
    int i = blockIdx.x * 32 + t;
    s[t] = i < n ? x[i] : 1.0f;
    done[0] = 1;
    __syncthreads();
    float adj_s_0 = 0.0f;
    if (i < n) {
        // 15:  y[i] = done[0] * s[0] * s[0] + s[t]
        float g = adj_y[i];
        adj_s_0 = 2.0f * done[0] * s[0] * g;
        atomicAdd(&adj_s[t], g);
    }
    block_add(&adj_s[0], adj_s_0);
    __syncthreads();

    // 10:  s[t] = i < n ? x[i] : 1.0f
    if (i < n)
        adj_x[i] += adj_s[t];
}

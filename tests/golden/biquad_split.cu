// biquad_adj: adjoint of biquad (biquad.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform biquad.cu --of y --wrt x,b0,b1,b2,a1,a2 --mode split
//
// First launch biquad_fwd, with the same grid and block: it does what biquad does. Call
// with x as it was before biquad. Call with y as biquad_fwd left it. adj_y comes in as
// dJ/dy after biquad and goes out as dJ/dy before it, element by element. dJ/dx is
// added to adj_x; dJ/db0 is added to adj_b0; dJ/db1 is added to adj_b1; dJ/db2 is added
// to adj_b2; dJ/da1 is added to adj_a1; dJ/da2 is added to adj_a2.
//
// What the reverse sweep needs, and where it finds it:
//   c       recomputed   from values at hand
//   k       recomputed   from values at hand, in the reversed iteration
//   x[..]   reloaded     nothing stores to it
//   y[..]   reloaded     no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       each thread has elements of its own
//   adj_y[..]   +=, one owner       each thread has elements of its own
//   adj_b0      reduced per block   every thread has its share in it
//   adj_b1      reduced per block   every thread has its share in it
//   adj_b2      reduced per block   every thread has its share in it
//   adj_a1      reduced per block   every thread has its share in it
//   adj_a2      reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

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

extern "C" __global__ void biquad_fwd(const float *x, float *y, float b0, float b1, float b2,
                                      float a1, float a2, int channels, int samples)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels)
        return;
    for (int t = 2; t < samples; ++t) {
        int k = c * samples + t;
        y[k] = b0 * x[k] + b1 * x[k - 1] + b2 * x[k - 2] - a1 * y[k - 1] - a2 * y[k - 2];
    }
}

extern "C" __global__ void biquad_adj(const float *x, float *adj_x,
                                      float *y, float *adj_y,
                                      float b0, float *adj_b0,
                                      float b1, float *adj_b1,
                                      float b2, float *adj_b2,
                                      float a1, float *adj_a1,
                                      float a2, float *adj_a2, int channels, int samples)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_a2_sum = 0.0f;
    float adj_a1_sum = 0.0f;
    float adj_b2_sum = 0.0f;
    float adj_b1_sum = 0.0f;
    float adj_b0_sum = 0.0f;
    if (c < channels)
        for (int t = samples - 1; t >= 2; --t) {
            int k = c * samples + t;

            // 11:  y[k] = b0 * x[k] + b1 * x[k - 1] + b2 * x[k - 2] - a1 * y[k - 1] - a2 * y[k - 2]
            float g = adj_y[k];
            adj_y[k] = 0.0f;
            adj_b0_sum += x[k] * g;
            adj_x[k] += b0 * g;
            adj_b1_sum += x[k - 1] * g;
            adj_x[k - 1] += b1 * g;
            adj_b2_sum += x[k - 2] * g;
            adj_x[k - 2] += b2 * g;
            adj_a1_sum -= y[k - 1] * g;
            adj_y[k - 1] -= a1 * g;
            adj_a2_sum -= y[k - 2] * g;
            adj_y[k - 2] -= a2 * g;
        }
    block_add(adj_b0, adj_b0_sum);
    block_add(adj_b1, adj_b1_sum);
    block_add(adj_b2, adj_b2_sum);
    block_add(adj_a1, adj_a1_sum);
    block_add(adj_a2, adj_a2_sum);
}

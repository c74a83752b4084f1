// block_sum_adj: adjoint of block_sum (block_sum.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_sum.cu --of y --wrt x
//
// Call with x as it was before block_sum. Seed adj_y with dJ/dy: it is left alone,
// because block_sum stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//   s       reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner   one thread per element
//   adj_part[..]   +=, by phase    between two barriers one thread per element
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

#define FULL 0xffffffffu

extern "C" __global__ void block_sum_adj(const float *x, float *adj_x,
                                         float *y, const float *adj_y, int n)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    __shared__ float part[32];
    __shared__ float adj_part[32];
    for (int q = threadIdx.x; q < 32; q += blockDim.x)
        adj_part[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    float s = i < n ? x[i] * x[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_down_sync(FULL, s, d);
    if (lane == 0)
        part[warp] = s;
    __syncthreads();

    // ---- reverse sweep ------------------------------------------------------

    float adj_s = 0.0f;
    if (warp == 0) {
        float s = lane < blockDim.x / 32 ? part[lane] : 0.0f;
        for (int d = 16; d > 0; d /= 2)
            s += __shfl_down_sync(FULL, s, d);
        if (lane == 0) {
            // 21:  y[blockIdx.x] = sqrtf(s)
            float g = adj_y[blockIdx.x];
            if (g != 0.0f)
                adj_s += 0.5f * g / sqrtf(s);
        }

        // 18:  for (int d = 16; d > 0; d /= 2)
        // only the first lane's sum is used, and it holds every lane's value once
        adj_s = __shfl_sync(FULL, adj_s, 0);

        // 17:  s = lane < blockDim.x / 32 ? part[lane] : 0.0f
        if (lane < blockDim.x / 32)
            adj_part[lane] += adj_s;
        adj_s = 0.0f;
    }
    __syncthreads();
    if (lane == 0) {
        // 14:  part[warp] = s
        adj_s += adj_part[warp];
    }

    // 11:  for (int d = 16; d > 0; d /= 2)
    // only the first lane's sum is used, and it holds every lane's value once
    adj_s = __shfl_sync(FULL, adj_s, 0);
    // 10:  float s = i < n ? x[i] * x[i] : 0.0f
    if (i < n)
        adj_x[i] += 2.0f * x[i] * adj_s;
}

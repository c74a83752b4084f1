// cub_softmax_adj: adjoint of cub_softmax (cub_softmax.cu:7).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform cub_softmax.cu --of y --wrt x --assume launch:1d
//
// Call with x as it was before cub_softmax. Seed adj_y with dJ/dy: it is left alone,
// because cub_softmax stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   top (line 14)       tape_top[(n + THREADS - 1) / THREADS], global memory   line 15 changes it in
//                                                                              each iteration
//   top (line 15),      recomputed                                             from values at hand, in
//                                                                              the reversed iteration
//   top_max (line 16)
//   top_max (line 16)   tape_top_max[5], registers                             line 16 changes it in
//                                                                              each iteration
//   d                   inverted                                               each iteration divides
//                                                                              it by 2
//   top_max (line 16)   tape_top_max_3, a register                             line 16 overwrites it
//   trips of line 16    trips, a register                                      the loop decides in its
//                                                                              iterations when it ends
//   top_max (line 16)   tape_top_max_2[1], registers                           line 16 changes it in
//                                                                              each iteration
//   top (line 20)       reloaded                                               still in its variable
//   x[..]               reloaded                                               nothing stores to it
//   found[..]           reloaded                                               no later store goes to
//                                                                              it
//
// How adjoints are added up:
//   adj_x[..]                  +=, one owner       one thread per element, the one that
//                                                  stores y[blockIdx.x * n + i]
//   adj_top_max_of_warps[..]   +=, by phase        between two barriers one thread per
//                                                  element
//   adj_found[..]              reduced per block   every thread reads found
//   adj_total                  sum per block       each thread's value is in the
//                                                  block's sum once
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Extra memory: a tape of (((long long)n + THREADS - 1) / THREADS) * sizeof(float)
// bytes (tape_top) per thread, in global memory; cub_softmax_adj_tape_bytes(grid,
// block, n) says how many in all.
//
// Assumed: n >= 0, the launch is 1-D, no two threads store the same y[blockIdx.x * n +
// i], blockDim.x is a multiple of 32, arrays don't overlap, no index wraps, launch:1d.

#define THREADS 64

// The sum of what the block's 64 threads bring, for each of them. All of them call it.
static __device__ float block_sum(float value)
{
    __shared__ float sums[2];
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, d);
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = sums[0];
    for (int warp = 1; warp < 2; ++warp)
        value += sums[warp];
    return value;
}

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

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t cub_softmax_adj_tape_bytes(dim3 grid, dim3 block, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_top
    bytes += (threads
              * (((long long)n + THREADS - 1) / THREADS > 0 ? ((long long)n + THREADS - 1) / THREADS
                 : 0) * sizeof(float) + 15) / 16 * 16;
    return bytes;
}
#endif

__global__ void cub_softmax_adj(const float *x, float *adj_x,
                                float *y, const float *adj_y, int n, char *tape)
{
    // For a 1-D launch, as it was declared; rows of whole warps, as the primal exchanges values
    // among them; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1 || blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_top = (float *)(tape + 16) + thread;
    __shared__ float found;
    __shared__ float adj_found;
    __shared__ float top_max_of_warps[2];
    __shared__ float adj_top_max_of_warps[2];
    if (threadIdx.x == 0)
        adj_found = 0.0f;
    for (int q = threadIdx.x; q < 2; q += blockDim.x)
        adj_top_max_of_warps[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    const long row_at = blockIdx.x * n;
    float top = -1e30f;
    for (int i = threadIdx.x; i < n; i += THREADS) {
        tape_top[(i - (int)threadIdx.x) / THREADS * threads] = top;
        top = fmaxf(top, x[row_at + i]);
    }
    float top_max = top;
    int trips = 0;
    float tape_top_max[5];
    for (int d = 16; d > 0; d /= 2) {
        tape_top_max[trips] = top_max;
        top_max = fmaxf(top_max, __shfl_xor_sync(0xffffffffu, top_max, d));
        ++trips;
    }
    float tape_top_max_3 = top_max;
    if (threadIdx.x % 32 == 0)
        top_max_of_warps[threadIdx.x / 32] = top_max;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int warp = 1; warp < 2; ++warp)
            top_max = fmaxf(top_max, top_max_of_warps[warp]);
    top = top_max;
    if (threadIdx.x == 0)
        found = top;
    __syncthreads();
    top = found;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += THREADS)
        sum += expf(x[row_at + i] - top);
    const float total = block_sum(sum);
    if (threadIdx.x == 0)
        found = total;
    __syncthreads();

    // ---- reverse sweep ------------------------------------------------------

    float adj_top = 0.0f;
    float adj_found_sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += THREADS) {
        // 30:  y[blockIdx.x * n + i] = expf(row[i] - top) / found
        float g = adj_y[blockIdx.x * n + i] / found;
        float g_2 = expf(x[row_at + i] - top) * g;
        adj_x[row_at + i] += g_2;
        adj_top -= g_2;
        adj_found_sum -= expf(x[row_at + i] - top) / found * g;
    }
    block_add(&adj_found, adj_found_sum);
    __syncthreads();
    float adj_total = 0.0f;
    if (threadIdx.x == 0) {
        // 27:  found = total
        adj_total = adj_found;
        adj_found = 0.0f;
    }

    // 25:  BlockReduce(memory).Sum(sum)
    float adj_sum = block_sum(adj_total);
    for (int i = threadIdx.x; i < n; i += THREADS) {
        // 24:  sum += expf(row[i] - top)
        float g = expf(x[row_at + i] - top) * adj_sum;
        adj_x[row_at + i] += g;
        adj_top -= g;
    }

    // 20:  top = found
    block_add(&adj_found, adj_top);
    adj_top = 0.0f;
    __syncthreads();
    if (threadIdx.x == 0) {
        // 18:  found = top
        adj_top += adj_found;
    }

    // 16:  top = BlockReduce(memory).Reduce(top, cub::Max())
    float adj_top_max = adj_top;
    if (threadIdx.x == 0) {
        float top_max = tape_top_max_3;
        float tape_top_max_2[1];
        for (int warp = 1; warp < 2; ++warp) {
            tape_top_max_2[warp - 1] = top_max;
            top_max = fmaxf(top_max, top_max_of_warps[warp]);
        }
        for (int warp = 1; warp >= 1; --warp) {
            float top_max = tape_top_max_2[warp - 1];

            // 16:  BlockReduce(memory).Reduce(top, cub::Max())
            float g = adj_top_max;
            adj_top_max = 0.0f;
            if (fmaxf(top_max, top_max_of_warps[warp]) == top_max)
                adj_top_max += g;
            else
                adj_top_max_of_warps[warp] += g;
        }
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        // 16:  BlockReduce(memory).Reduce(top, cub::Max())
        adj_top_max += adj_top_max_of_warps[threadIdx.x / 32];
    }
    for (int trip = trips - 1; trip >= 0; --trip) {
        float top_max = tape_top_max[trip];
        int d = 16 >> trip;
        float top_max_across = __shfl_xor_sync(0xffffffffu, top_max, d);
        float adj_top_max_across = 0.0f;

        // 16:  BlockReduce(memory).Reduce(top, cub::Max())
        float g = adj_top_max;
        adj_top_max = 0.0f;
        if (fmaxf(top_max, top_max_across) == top_max)
            adj_top_max += g;
        else
            adj_top_max_across = g;
        adj_top_max += __shfl_xor_sync(0xffffffffu, adj_top_max_across, d);
    }

    // 16:  BlockReduce(memory).Reduce(top, cub::Max())
    adj_top = adj_top_max;
    for (int i = (int)threadIdx.x + (n - (int)threadIdx.x + 63) / THREADS * THREADS - THREADS;
         i >= (int)threadIdx.x; i -= THREADS) {
        float top = tape_top[(i - (int)threadIdx.x) / THREADS * threads];

        // 15:  top = fmaxf(top, row[i])
        float g = adj_top;
        adj_top = 0.0f;
        if (fmaxf(top, x[row_at + i]) == top)
            adj_top += g;
        else
            adj_x[row_at + i] += g;
    }
}

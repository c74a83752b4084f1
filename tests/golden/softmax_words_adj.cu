// softmax_words_adj: adjoint of softmax_words (softmax_words.cu:39).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform softmax_words.cu --of y --wrt x
//
// Call with x as it was before softmax_words. Seed adj_y with dJ/dy: it is left alone,
// because softmax_words stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]       reloaded   nothing stores to it
//   top[..]     reloaded   no later store goes to it
//   sum_total   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]       +=, one owner   each thread has elements of its own
//   adj_sum_total   sum per block   each thread's value is in the block's sum once
//   adj_top         none            top cancels: no result changes with it
//
// Assumed: n >= 0, the launch is 1-D, blockDim.x is a multiple of 32, arrays don't
// overlap, no index wraps.

// The sum of what all threads of the block bring, for each of them. All of them call it.
static __device__ float block_sum(float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2)
        if (d < blockDim.x)  // a power of two
            value += __shfl_xor_sync(0xffffffffu, value, d);
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = sums[0];
    for (int warp = 1; 32 * warp < blockDim.x; ++warp)
        value += sums[warp];
    return value;
}

__global__ void softmax_words_adj(const float *x, float *adj_x, float *y, const float *adj_y, int n)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    __shared__ float of_warps[32];
    __shared__ float top;

    // ---- forward sweep ------------------------------------------------------

    const long row_at = blockIdx.x * n;
    float m = -1e20f;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        m = max(m, x[row_at + i]);
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x >> 5;
    for (int mask = 16; mask > 0; mask >>= 1)
        m = max(m, __shfl_xor_sync(0xffffffff, m, mask, 32));
    if (lane == 0)
        of_warps[warp] = m;
    __syncthreads();
    float v = lane < blockDim.x / 32 ? of_warps[lane] : -1e20f;
    for (int mask = 16; mask > 0; mask >>= 1)
        v = max(v, __shfl_xor_sync(0xffffffff, v, mask, 32));
    m = v;
    if (threadIdx.x == 0)
        top = m;
    __syncthreads();
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += __expf(x[row_at + i] - top);

    // ---- reverse sweep ------------------------------------------------------

    float adj_sum_total = 0.0f;
    float per_sum_total = 1.0f / block_sum(sum);
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        // 58:  y[blockIdx.x * n + i] = __expf(row[i] - top) / total
        float g = adj_y[blockIdx.x * n + i] * per_sum_total;
        adj_x[row_at + i] += __expf(x[row_at + i] - top) * g;
        adj_sum_total -= __expf(x[row_at + i] - top) * per_sum_total * g;
    }

    // 12:  for (int mask = 16; mask > 0; mask >>= 1)
    float adj_sum = block_sum(adj_sum_total);
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        // 52:  sum += __expf(row[i] - top)
        adj_x[row_at + i] += __expf(x[row_at + i] - top) * adj_sum;
    }
}

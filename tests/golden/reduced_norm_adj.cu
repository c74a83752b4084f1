// reduced_norm_adj: adjoint of reduced_norm (reduced_norm.cu:24).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform reduced_norm.cu --of y --wrt x,w
//
// Call with x and w as they were before reduced_norm. Seed adj_y with dJ/dy: it is left
// alone, because reduced_norm stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], w[..]          reloaded   nothing stores to it
//   mean[..], scale[..]   reloaded   no later store goes to it
//   var                   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]       +=, one owner       each thread has elements of its own
//   adj_w[..]       atomicAdd           every block reads the same w[i]
//   adj_mean[..]    reduced per block   every thread reads mean
//   adj_scale[..]   reduced per block   every thread reads scale
//   adj_all         sum per block       each thread's value is in the block's sum once
//   adj_var         sum per block       each thread's value is in the block's sum once
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

extern "C" __global__ void reduced_norm_adj(const float *x, float *adj_x,
                                            const float *w, float *adj_w,
                                            float *y, const float *adj_y, int n)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        adj_w[0] = nanf("");
        return;
    }
    __shared__ float mean;
    __shared__ float adj_mean;
    __shared__ float scale;
    __shared__ float adj_scale;
    if (threadIdx.x == 0) {
        adj_mean = 0.0f;
        adj_scale = 0.0f;
    }

    // ---- forward sweep ------------------------------------------------------

    const long row_at = blockIdx.x * n;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += x[row_at + i];
    float all = block_sum(sum);
    if (threadIdx.x == 0)
        mean = all / n;
    __syncthreads();
    float var = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        var += (x[row_at + i] - mean) * (x[row_at + i] - mean);
    var = block_sum(var);
    if (threadIdx.x == 0)
        scale = rsqrtf(var / n + 1e-5f);
    __syncthreads();

    // ---- reverse sweep ------------------------------------------------------

    float adj_mean_sum = 0.0f;
    float adj_scale_sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        // 43:  y[blockIdx.x * n + i] = (row[i] - mean) * scale * w[i]
        float g = adj_y[blockIdx.x * n + i];
        float g_2 = w[i] * g;
        float g_3 = scale * g_2;
        adj_x[row_at + i] += g_3;
        adj_mean_sum -= g_3;
        adj_scale_sum += (x[row_at + i] - mean) * g_2;
        atomicAdd(&adj_w[i], (x[row_at + i] - mean) * scale * g);
    }
    block_add(&adj_scale, adj_scale_sum);
    __syncthreads();
    float adj_var = 0.0f;
    if (threadIdx.x == 0) {
        // 40:  scale = rsqrtf(var / n + 1e-5f)
        float r = rsqrtf(var / n + 1e-5f);
        adj_var = -(0.5f * r * r * r * adj_scale / n);
    }

    // 6:  for (int offset = 16; offset > 0; offset >>= 1)
    adj_var = block_sum(adj_var);
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        // 37:  var += (row[i] - mean) * (row[i] - mean)
        float g = 2.0f * (x[row_at + i] - mean) * adj_var;
        adj_x[row_at + i] += g;
        adj_mean_sum -= g;
    }
    block_add(&adj_mean, adj_mean_sum);
    __syncthreads();
    float adj_all = 0.0f;
    if (threadIdx.x == 0) {
        // 33:  mean = all / n
        adj_all = adj_mean / n;
    }

    // 31:  blockReduceSum<float>(sum)
    float adj_sum = block_sum(adj_all);
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        // 30:  sum += row[i]
        adj_x[row_at + i] += adj_sum;
    }
}

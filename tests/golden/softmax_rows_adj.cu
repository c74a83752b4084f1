// softmax_kernel_adj: adjoint of softmax_kernel (softmax_rows.cu:20).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform softmax_rows.cu --of y --wrt x,scale --template scalar_t=float
//
// Call with x and scale as they were before softmax_kernel. Seed adj_y with dJ/dy: it
// is left alone, because softmax_kernel stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dscale is added to adj_scale. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   largest, sum       recomputed   from values at hand, in the reversed iteration
//   x[..], scale[..]   reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]       +=, one owner       each thread has elements of its own
//   adj_scale[..]   reduced per block   every thread reads scale[0]
//   adj_largest     none                largest cancels: no result changes with it
//
// Of the template softmax_kernel this is the instance with scalar_t = float.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

constexpr int COLUMNS(5);

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

static __device__ __forceinline__ float scaled(float v, float by)
{
    return (float)1 / by * v;
}

static __device__ void scaled_adj(float v, float *adj_v, float by, float *adj_by, float adj_scaled)
{
    // 16:  return static_cast<scalar_t>(1) / by * v
    *adj_by -= v * adj_scaled / by / by;
    *adj_v += (float)1 / by * adj_scaled;
}

extern "C" __global__ void softmax_kernel_adj(const float *__restrict__ x,
                                              float *__restrict__ adj_x,
                                              const float *scale, float *adj_scale,
                                              float *y, const float *adj_y, const int rows)
{
    float adj_scale_sum = 0.0f;
    for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
         row += blockDim.x * gridDim.x) {
        float largest = -3.4028235e38f;
        for (int c = 0; c < COLUMNS; ++c)
            largest = max(largest, scaled(x[row * COLUMNS + c], scale[0]));
        float sum = 0;
        for (int c = 0; c < COLUMNS; ++c)
            sum += exp(scaled(x[row * COLUMNS + c], scale[0]) - largest);
        float adj_sum = 0.0f;
        float per_sum = 1.0f / sum;
        for (int c = 0; c < COLUMNS; ++c) {
            // 31:  y[row * COLUMNS + c] = std::exp(scaled(x[row * COLUMNS + c], scale[0]) -
            //      largest) / sum
            float g = adj_y[row * COLUMNS + c] * per_sum;
            float adj_v = 0.0f;
            float adj_by = 0.0f;
            scaled_adj(x[row * COLUMNS + c], &adj_v, scale[0], &adj_by,
                       exp(scaled(x[row * COLUMNS + c], scale[0]) - largest) * g);
            adj_x[row * COLUMNS + c] += adj_v;
            adj_scale_sum += adj_by;
            adj_sum -= exp(scaled(x[row * COLUMNS + c], scale[0]) - largest) * per_sum * g;
        }
        for (int c = 0; c < COLUMNS; ++c) {
            // 29:  sum += std::exp(scaled(x[row * COLUMNS + c], scale[0]) - largest)
            float adj_v = 0.0f;
            float adj_by = 0.0f;
            scaled_adj(x[row * COLUMNS + c], &adj_v, scale[0], &adj_by,
                       exp(scaled(x[row * COLUMNS + c], scale[0]) - largest) * adj_sum);
            adj_x[row * COLUMNS + c] += adj_v;
            adj_scale_sum += adj_by;
        }
    }
    block_add(&adj_scale[0], adj_scale_sum);
}

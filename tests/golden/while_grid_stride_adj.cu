// while_grid_stride_adj: adjoint of while_grid_stride (while_grid_stride.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform while_grid_stride.cu --of y --wrt x,w
//
// Call with x and w as they were before while_grid_stride. Seed adj_y with dJ/dy: it is
// left alone, because while_grid_stride stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v       recomputed   from values at hand, in the reversed iteration
//   w[..]   reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       each thread has elements of its own
//   adj_w[..]   reduced per block   every thread reads w[0]
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

__global__ void while_grid_stride_adj(const float *x, float *adj_x,
                                      const float *w, float *adj_w,
                                      float *y, const float *adj_y, int n)
{
    float adj_w_sum = 0.0f;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        float v = x[i];

        // 8:  y[i] = v * v * w[0]
        float g = adj_y[i];
        adj_w_sum += v * v * g;

        // 7:  float v = x[i]
        adj_x[i] += 2.0f * v * w[0] * g;
    }
    block_add(&adj_w[0], adj_w_sum);
}

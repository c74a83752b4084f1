// rounds_by_call_adj: adjoint of rounds_by_call (rounds_by_call.cu:8).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform rounds_by_call.cu --of y --wrt x,w
//
// Call with x and w as they were before rounds_by_call. Seed adj_y with dJ/dy: it is
// left alone, because rounds_by_call stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   c          recomputed   from values at hand, in the reversed iteration
//   tile[..]   reloaded     no later store goes to it
//   w[..]      reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner   each thread has elements of its own
//   adj_w[..]      atomicAdd       every thread reads the same w[r]
//   adj_tile[..]   +=, by phase    each place hits an element once per block, with
//                                  barriers between them
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

static __device__ int ceil_div(int a, int b)
{
    return (a + b - 1) / b;
}

__global__ void rounds_by_call_adj(const float *x, float *adj_x,
                                   const float *w, float *adj_w,
                                   float *y, const float *adj_y, int n, int cols)
{
    __shared__ float tile[32];
    __shared__ float adj_tile[32];
    for (int q = threadIdx.x; q < 32; q += blockDim.x)
        adj_tile[q] = 0.0f;
    int row = blockIdx.x;
    int rounds = ceil_div(cols, blockDim.x);

    // 21:  y[row * blockDim.x + threadIdx.x] = sum
    float adj_sum = adj_y[row * blockDim.x + threadIdx.x];
    for (int r = rounds - 1; r >= 0; --r) {
        int c = r * blockDim.x + threadIdx.x;
        tile[threadIdx.x] = c < cols ? x[row * cols + c] : 0.0f;
        __syncthreads();

        // 18:  sum += w[r] * tile[threadIdx.x] * tile[blockDim.x - 1 - threadIdx.x]
        float g = tile[blockDim.x - 1 - threadIdx.x] * adj_sum;
        atomicAdd(&adj_w[r], tile[threadIdx.x] * g);
        adj_tile[threadIdx.x] += w[r] * g;
        __syncthreads();
        adj_tile[blockDim.x - 1 - threadIdx.x] += w[r] * tile[threadIdx.x] * adj_sum;
        __syncthreads();

        // 16:  tile[threadIdx.x] = c < cols ? x[row * cols + c] : 0.0f
        if (c < cols)
            adj_x[row * cols + c] += adj_tile[threadIdx.x];
        adj_tile[threadIdx.x] = 0.0f;
    }
}

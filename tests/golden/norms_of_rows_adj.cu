// norms_of_rows_adj: adjoint of norms_of_rows (norms_of_rows.cu:2).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform norms_of_rows.cu --of y,norm --wrt x
//
// Call with x as it was before norms_of_rows. Seed adj_norm with dJ/dnorm: it is left
// alone, because norms_of_rows stores each element of norm at most once. Seed adj_y
// with dJ/dy: it is left alone, because norms_of_rows stores each element of y at most
// once. dJ/dx is added to adj_x. norm and y are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//   scale   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]            atomicAdd           unless the launch is 1-D, several threads
//                                            read the same x[row * n + k]
//   adj_norm_block[..]   reduced per block   every thread reads norm[row]
//   adj_norm_block[..]   +=, by phase        between two barriers one thread per
//                                            element
//
// Assumed: no two threads store the same y[row * n + k], no two threads store the same
// norm[row], arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    int threads = blockDim.x * blockDim.y * blockDim.z;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (thread + d < threads)  // the last warp may be short
            value += above;
    }
    if (thread % 32 == 0)
        sums[thread / 32] = value;
    __syncthreads();
    if (thread == 0) {
        for (int warp = 1; 32 * warp < threads; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

__global__ void norms_of_rows_adj(const float *x, float *adj_x,
                                  float *norm, const float *adj_norm,
                                  float *y, const float *adj_y, int rows, int n)
{
    __shared__ float norm_block;
    __shared__ float adj_norm_block;
    if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x == 0)
        adj_norm_block = 0.0f;
    int row = blockIdx.x;
    if (row < rows) {
        // ---- forward sweep ------------------------------------------------------

        if (threadIdx.x == 0)
            norm_block = 0.0f;
        __syncthreads();
        for (int k = threadIdx.x; k < n; k += blockDim.x)
            atomicAdd(&norm_block, x[row * n + k] * x[row * n + k]);
        __syncthreads();
        float scale = rsqrtf(norm_block + 1e-5f);

        // ---- reverse sweep ------------------------------------------------------

        if (threadIdx.x == 0) {
            // norm[blockIdx.x] = norm_block
            adj_norm_block += adj_norm[blockIdx.x];
        }
        float adj_scale = 0.0f;
        for (int k = threadIdx.x; k < n; k += blockDim.x) {
            // 15:  y[row * n + k] = x[row * n + k] * scale
            float g = adj_y[row * n + k];
            atomicAdd(&adj_x[row * n + k], scale * g);
            adj_scale += x[row * n + k] * g;
        }

        // 13:  float scale = rsqrtf(norm[row] + 1e-5f)
        block_add(&adj_norm_block, -0.5f * scale * scale * scale * adj_scale);
        __syncthreads();
        for (int k = threadIdx.x; k < n; k += blockDim.x) {
            // 11:  atomicAdd(&norm[row], x[row * n + k] * x[row * n + k])
            atomicAdd(&adj_x[row * n + k], 2.0f * x[row * n + k] * adj_norm_block);
        }
    }
}

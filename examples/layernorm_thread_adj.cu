// layernorm_thread_adj: adjoint of layernorm_thread (layernorm_thread.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform layernorm_thread.cu --of y --wrt x,gamma,beta
//
// Call with x and gamma as they were before layernorm_thread. Seed adj_y with dJ/dy: it
// is left alone, because layernorm_thread stores each element of y at most once. dJ/dx
// is added to adj_x; dJ/dgamma is added to adj_gamma; dJ/dbeta is added to adj_beta.
// beta and y are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   mean, inv_std      reloaded     still in its variable
//   d                  recomputed   from values at hand, in the reversed iteration
//   x[..], gamma[..]   reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]       +=, one owner       each thread has elements of its own
//   adj_gamma[..]   reduced per block   every thread reads the same gamma[c]
//   adj_beta[..]    reduced per block   every thread reads the same beta[c]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define EPS 1e-5f

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

extern "C" __global__ void layernorm_thread_adj(const float *x, float *adj_x,
                                                const float *gamma, float *adj_gamma,
                                                const float *beta, float *adj_beta,
                                                float *y, const float *adj_y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;

    float mean;
    float inv_std;
    float adj_inv_std;
    float adj_mean;
    if (row < rows) {
        // ---- forward sweep ------------------------------------------------------

        mean = 0.0f;
        for (int c = 0; c < cols; ++c)
            mean += x[row * cols + c];
        mean /= cols;

        float variance = 0.0f;
        for (int c = 0; c < cols; ++c) {
            float d = x[row * cols + c] - mean;
            variance += d * d;
        }
        variance /= cols;

        inv_std = rsqrtf(variance + EPS);

        // ---- reverse sweep ------------------------------------------------------

        adj_inv_std = 0.0f;
        adj_mean = 0.0f;
    }
    for (int c = 0; c < cols; ++c) {
        float adj_gamma_sum = 0.0f;
        float g = 0.0f;
        if (row < rows) {
            // 26:  y[row * cols + c] = gamma[c] * (x[row * cols + c] - mean) * inv_std + beta[c]
            g = adj_y[row * cols + c];
            float g_2 = inv_std * g;
            adj_gamma_sum = (x[row * cols + c] - mean) * g_2;
            float g_3 = gamma[c] * g_2;
            adj_x[row * cols + c] += g_3;
            adj_mean -= g_3;
            adj_inv_std += gamma[c] * (x[row * cols + c] - mean) * g;
        }
        block_add(&adj_gamma[c], adj_gamma_sum);
        block_add(&adj_beta[c], g);
    }
    if (row < rows) {
        // 24:  float inv_std = rsqrtf(variance + EPS)
        float adj_variance = -0.5f * inv_std * inv_std * inv_std * adj_inv_std;

        // 22:  variance /= cols
        adj_variance /= cols;
        for (int c = 0; c < cols; ++c) {
            float d = x[row * cols + c] - mean;
            // 20:  variance += d * d
            float adj_d = 2.0f * d * adj_variance;

            // 19:  float d = x[row * cols + c] - mean
            adj_x[row * cols + c] += adj_d;
            adj_mean -= adj_d;
        }

        // 15:  mean /= cols
        adj_mean /= cols;
        for (int c = 0; c < cols; ++c) {
            // 14:  mean += x[row * cols + c]
            adj_x[row * cols + c] += adj_mean;
        }
    }
}

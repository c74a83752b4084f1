// layer_norm_adj: adjoint of layer_norm (layer_norm.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform layer_norm.cu --of out --wrt in,gamma,beta --mode split
//
// First launch layer_norm_fwd, with the same grid, block and tape: it does what
// layer_norm does, and records. Call with in and gamma as they were before layer_norm.
// Seed adj_out with dJ/dout: it is left alone, because layer_norm stores each element
// of out at most once. dJ/din is added to adj_in; dJ/dgamma is added to adj_gamma;
// dJ/dbeta is added to adj_beta. beta and out are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   row, mean (line 12), inv   recomputed                 from values at hand
//   mean (line 11)             tape_mean, global memory   a loop computed it, and only
//                                                         the forward kernel runs that
//   var                        tape_var, global memory    a loop computed it, and only
//                                                         the forward kernel runs that
//   d                          recomputed                 from values at hand, in the
//                                                         reversed iteration
//   gamma[..], in[..]          reloaded                   nothing stores to it
//
// How adjoints are added up:
//   adj_in[..]      +=, one owner       each thread has elements of its own
//   adj_gamma[..]   reduced per block   every thread reads the same gamma[c]
//   adj_beta[..]    reduced per block   every thread reads the same beta[c]
//
// Extra memory: a tape of sizeof(float) bytes (tape_mean) and sizeof(float) bytes
// (tape_var) per thread, in global memory; layer_norm_adj_tape_bytes(grid, block, rows,
// cols, eps) says how many in all.
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

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t layer_norm_adj_tape_bytes(dim3 grid, dim3 block, int rows, int cols, float eps)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 1 * sizeof(float) + 15) / 16 * 16;  // tape_mean
    bytes += (threads * 1 * sizeof(float) + 15) / 16 * 16;  // tape_var
    return bytes;
}
#endif

__global__ void layer_norm_fwd(const float *__restrict__ in, const float *__restrict__ gamma,
                               const float *__restrict__ beta, float *__restrict__ out, int rows,
                               int cols, float eps, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_mean = (float *)(tape + at) + thread;
    at += (threads * sizeof(float) + 15) / 16 * 16;
    float *tape_var = (float *)(tape + at) + thread;
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;

    float mean = 0.f;
    for (int c = 0; c < cols; ++c)
        mean += in[row * cols + c];
    *tape_mean = mean;
    mean /= cols;

    float var = 0.f;
    for (int c = 0; c < cols; ++c) {
        float d = in[row * cols + c] - mean;
        var += d * d;
    }
    *tape_var = var;
    float inv = rsqrtf(var / cols + eps);

    for (int c = 0; c < cols; ++c)
        out[row * cols + c] = (in[row * cols + c] - mean) * inv * gamma[c] + beta[c];
}

__global__ void layer_norm_adj(const float *__restrict__ in, float *__restrict__ adj_in,
                               const float *__restrict__ gamma, float *__restrict__ adj_gamma,
                               const float *__restrict__ beta, float *__restrict__ adj_beta,
                               float *__restrict__ out, const float *__restrict__ adj_out, int rows,
                               int cols, float eps, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_mean = (float *)(tape + at) + thread;
    at += (threads * sizeof(float) + 15) / 16 * 16;
    float *tape_var = (float *)(tape + at) + thread;
    const int row = blockIdx.x * blockDim.x + threadIdx.x;

    float mean;
    float inv;
    float adj_inv;
    float adj_mean;
    if (row < rows) {
        mean = *tape_mean / cols;

        inv = rsqrtf(*tape_var / cols + eps);
        adj_inv = 0.0f;
        adj_mean = 0.0f;
    }

    for (int c = 0; c < cols; ++c) {
        float adj_gamma_sum = 0.0f;
        float g = 0.0f;
        if (row < rows) {
            // 22:  out[row * cols + c] = (in[row * cols + c] - mean) * inv * gamma[c] + beta[c]
            g = adj_out[row * cols + c];
            float g_2 = gamma[c] * g;
            float g_3 = inv * g_2;
            adj_in[row * cols + c] += g_3;
            adj_mean -= g_3;
            adj_inv += (in[row * cols + c] - mean) * g_2;
            adj_gamma_sum = (in[row * cols + c] - mean) * inv * g;
        }
        block_add(&adj_gamma[c], adj_gamma_sum);
        block_add(&adj_beta[c], g);
    }
    if (row < rows) {
        // 19:  float inv = rsqrtf(var / cols + eps)
        float adj_var = -0.5f * inv * inv * inv * adj_inv / cols;
        for (int c = 0; c < cols; ++c) {
            float d = in[row * cols + c] - mean;
            // 17:  var += d * d
            float adj_d = 2.0f * d * adj_var;

            // 16:  float d = in[row * cols + c] - mean
            adj_in[row * cols + c] += adj_d;
            adj_mean -= adj_d;
        }

        // 12:  mean /= cols
        adj_mean /= cols;
        for (int c = 0; c < cols; ++c) {
            // 11:  mean += in[row * cols + c]
            adj_in[row * cols + c] += adj_mean;
        }
    }
}

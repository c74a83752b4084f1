// diffuse_adj: adjoint of diffuse (diffusion_ping_pong.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform diffusion_ping_pong.cu --of u --wrt u,k
//
// Call with u and k as they were before diffuse. adj_u comes in as dJ/du after diffuse
// and goes out as dJ/du before it, element by element. dJ/dk is added to adj_k. u is
// only read.
//
// What the reverse sweep needs, and where it finds it:
//   a[t - 1]      tape_a_3[steps], global memory   line 16 overwrites it
//   left, right   recomputed                       from values at hand, in the reversed
//                                                  iteration
//   a[t + 1]      tape_a_2[steps], global memory   line 16 overwrites it
//   a[t]          tape_a[steps], global memory     line 16 overwrites it
//   k[..]         reloaded                         nothing stores to it
//   b[..]         reloaded                         no later store goes to it
//
// How adjoints are added up:
//   adj_u[..]   +=, one owner       one thread per element
//   adj_k[..]   reduced per block   every thread reads k[0]
//   adj_a[..]   +=, by phase        each place hits an element once per block, with
//                                   barriers between them
//   adj_a[..]   +=, by phase        between two barriers one thread per element
//   adj_b[..]   +=, by phase        between two barriers one thread per element
//
// Extra memory: a tape of steps * sizeof(float) bytes (tape_a) and steps *
// sizeof(float) bytes (tape_a_2) and steps * sizeof(float) bytes (tape_a_3) per thread,
// in global memory; diffuse_adj_tape_bytes(grid, block, steps, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 32

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

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t diffuse_adj_tape_bytes(dim3 grid, dim3 block, int steps, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;  // tape_a
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;  // tape_a_2
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;  // tape_a_3
    return bytes;
}
#endif

__global__ void diffuse_adj(float *__restrict__ u, float *__restrict__ adj_u,
                            const float *__restrict__ k, float *__restrict__ adj_k, int steps,
                            int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_a = (float *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_a_2 = (float *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_a_3 = (float *)(tape + at) + thread;
    __shared__ float a[BLOCK];
    __shared__ float adj_a[BLOCK];
    __shared__ float b[BLOCK];
    __shared__ float adj_b[BLOCK];
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x)
        adj_a[q] = 0.0f;
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x)
        adj_b[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    a[t] = i < n ? u[i] : 0.0f;
    __syncthreads();
    for (int s = 0; s < steps; ++s) {
        tape_a_3[s * threads] = t > 0 ? a[t - 1] : 0.0f;
        float left = t > 0 ? a[t - 1] : 0.0f;
        tape_a_2[s * threads] = t < BLOCK - 1 ? a[t + 1] : 0.0f;
        float right = t < BLOCK - 1 ? a[t + 1] : 0.0f;
        tape_a[s * threads] = a[t];
        b[t] = a[t] + k[0] * a[t] * (left - 2.0f * a[t] + right);
        __syncthreads();
        a[t] = b[t] * (1.0f + 0.1f * b[t]);
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    if (i < n) {
        // 20:  u[i] = a[t]
        adj_a[t] += adj_u[i];
        adj_u[i] = 0.0f;
    }
    float adj_k_sum = 0.0f;
    for (int s = steps - 1; s >= 0; --s) {
        float left = t > 0 ? tape_a_3[s * threads] : 0.0f;
        float right = t < BLOCK - 1 ? tape_a_2[s * threads] : 0.0f;
        b[t] = tape_a[s * threads]
               + k[0] * tape_a[s * threads] * (left - 2.0f * tape_a[s * threads] + right);
        __syncthreads();

        // 16:  a[t] = b[t] * (1.0f + 0.1f * b[t])
        adj_b[t] += (1.0f + 0.1f * b[t] + 0.1f * b[t]) * adj_a[t];
        adj_a[t] = 0.0f;

        // 14:  b[t] = a[t] + k[0] * a[t] * (left - 2.0f * a[t] + right)
        float g = adj_b[t];
        float a_was = tape_a[s * threads];
        adj_a[t] += g;
        float g_2 = (left - 2.0f * a_was + right) * g;
        adj_k_sum += a_was * g_2;
        adj_a[t] += k[0] * g_2;
        float g_3 = k[0] * a_was * g;
        adj_a[t] -= 2.0f * g_3;
        adj_b[t] = 0.0f;
        __syncthreads();

        // 13:  float right = t < BLOCK - 1 ? a[t + 1] : 0.0f
        if (t < BLOCK - 1)
            adj_a[t + 1] += g_3;
        __syncthreads();

        // 12:  float left = t > 0 ? a[t - 1] : 0.0f
        if (t > 0)
            adj_a[t - 1] += g_3;
    }
    block_add(&adj_k[0], adj_k_sum);

    // 9:  a[t] = i < n ? u[i] : 0.0f
    if (i < n)
        adj_u[i] += adj_a[t];
}

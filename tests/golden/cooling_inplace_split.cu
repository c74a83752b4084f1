// cooling_inplace_adj: adjoint of cooling_inplace (cooling_inplace.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform cooling_inplace.cu --of T --wrt T,k,ambient --mode split
//
// First launch cooling_inplace_fwd, with the same grid, block and tape: it does what
// cooling_inplace does, and records. Call with k as it was before cooling_inplace.
// adj_T comes in as dJ/dT after cooling_inplace and goes out as dJ/dT before it,
// element by element. dJ/dk is added to adj_k; dJ/dambient is added to adj_ambient. T
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i       recomputed                     from values at hand
//   T[i]    tape_T[steps], global memory   line 9 overwrites it
//   k[..]   reloaded                       nothing stores to it
//
// How adjoints are added up:
//   adj_k[..]     +=, one owner       one thread per element
//   adj_ambient   reduced per block   every thread has its share in it
//
// Extra memory: a tape of steps * sizeof(float) bytes (tape_T) per thread, in global
// memory; cooling_inplace_adj_tape_bytes(grid, block, ambient, dt, steps, n) says how
// many in all.
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

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t cooling_inplace_adj_tape_bytes(dim3 grid, dim3 block, float ambient, float dt,
                                                 int steps, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;  // tape_T
    return bytes;
}
#endif

extern "C" __global__ void cooling_inplace_fwd(float *T, const float *k, float ambient, float dt,
                                               int steps, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_T = (float *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int s = 0; s < steps; ++s) {
        tape_T[s * threads] = T[i];
        T[i] = T[i] - dt * k[i] * (T[i] - ambient) * (T[i] - ambient);
    }
}

extern "C" __global__ void cooling_inplace_adj(float *T, float *adj_T,
                                               const float *k, float *adj_k,
                                               float ambient, float *adj_ambient, float dt,
                                               int steps, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_T = (float *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_ambient_sum = 0.0f;
    if (i < n) {
        float adj_k_sum = 0.0f;
        for (int s = steps - 1; s >= 0; --s) {
            // 9:  T[i] = T[i] - dt * k[i] * (T[i] - ambient) * (T[i] - ambient)
            float g = adj_T[i];
            float T_was = tape_T[s * threads];
            adj_k_sum -= dt * (T_was - ambient) * (T_was - ambient) * g;
            float g_2 = -2.0f * dt * k[i] * (T_was - ambient) * g;
            adj_ambient_sum -= g_2;
            adj_T[i] += g_2;
        }
        // what the iterations owe, added once
        if (adj_k_sum != 0.0f)
            adj_k[i] += adj_k_sum;
    }
    block_add(adj_ambient, adj_ambient_sum);
}

// rounds_of_sums_adj: adjoint of rounds_of_sums (rounds_of_sums.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform rounds_of_sums.cu --of y --wrt x,b
//
// Call with x and b as they were before rounds_of_sums. Seed adj_y with dJ/dy: it is
// left alone, because rounds_of_sums stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/db is added to adj_b. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v                  tape_v[rounds], global memory          line 14 changes it in
//                                                             each iteration
//   factor (line 12)   tape_factor[rounds], global memory     line 16 overwrites it
//   factor (line 14)   tape_factor_2[rounds], global memory   line 16 overwrites it
//   sum[..]            reloaded                               no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]        +=, one owner       one thread per element
//   adj_b[..]        reduced per block   all threads of a block read the same
//                                        b[blockIdx.x]
//   adj_factor[..]   reduced per block   all threads of a block read the same factor[0]
//   adj_sum[..]      reduced per block   all threads of a block read the same sum[0]
//   adj_factor[..]   exchanged           no proof that only one thread stores an
//                                        element; one takes its adjoint
//
// Extra memory: a tape of rounds * sizeof(float) bytes (tape_v) and rounds *
// sizeof(float) bytes (tape_factor) and rounds * sizeof(float) bytes (tape_factor_2)
// per thread, in global memory; rounds_of_sums_adj_tape_bytes(grid, block, rounds) says
// how many in all.
//
// Assumed: the launch is 1-D, no two threads store different values in one factor, no
// two threads store different values in one sum, arrays don't overlap, no index wraps.

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
extern "C" size_t rounds_of_sums_adj_tape_bytes(dim3 grid, dim3 block, int rounds)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (rounds > 0 ? rounds : 0) * sizeof(float) + 15) / 16 * 16;  // tape_v
    bytes += (threads * (rounds > 0 ? rounds : 0) * sizeof(float) + 15) / 16 * 16;  // tape_factor
    bytes += (threads * (rounds > 0 ? rounds : 0) * sizeof(float) + 15) / 16 * 16;  // tape_factor_2
    return bytes;
}
#endif

extern "C" __global__ void rounds_of_sums_adj(const float *x, float *adj_x,
                                              const float *b, float *adj_b,
                                              float *y, const float *adj_y, int rounds, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_v = (float *)(tape + at) + thread;
    at += (threads * (rounds > 0 ? rounds : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_factor = (float *)(tape + at) + thread;
    at += (threads * (rounds > 0 ? rounds : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_factor_2 = (float *)(tape + at) + thread;
    __shared__ float sum;
    __shared__ float adj_sum;
    __shared__ float factor;
    __shared__ float adj_factor;
    if (threadIdx.x == 0) {
        adj_sum = 0.0f;
        adj_factor = 0.0f;
    }
    __syncthreads();

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    factor = b[blockIdx.x];
    for (int r = 0; r < rounds; ++r) {
        tape_v[r * threads] = v;
        sum = 0.0f;
        __syncthreads();
        tape_factor[r * threads] = factor;
        atomicAdd(&sum, v * v * factor);
        __syncthreads();
        tape_factor_2[r * threads] = factor;
        v = v * 0.5f + sum * factor;
        __syncthreads();
        factor = sum * 0.25f;
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    // 19:  y[i] = v
    float adj_v = adj_y[i];
    for (int r = rounds - 1; r >= 0; --r) {
        float v = tape_v[r * threads];
        sum = 0.0f;
        __syncthreads();
        atomicAdd(&sum, v * v * tape_factor[r * threads]);

        // 16:  factor = sum * 0.25f
        float g = atomicExch(&adj_factor, 0.0f);
        float adj_sum_0 = 0.0f;
        adj_sum_0 += 0.25f * g;

        // 14:  v = v * 0.5f + sum * factor
        adj_sum_0 += tape_factor_2[r * threads] * adj_v;
        block_add(&adj_sum, adj_sum_0);
        float adj_factor_0 = 0.0f;
        adj_factor_0 += sum * adj_v;
        adj_v *= 0.5f;
        __syncthreads();

        // 12:  atomicAdd(&sum, v * v * factor)
        float g_2 = adj_sum;
        adj_v += 2.0f * v * tape_factor[r * threads] * g_2;
        adj_factor_0 += v * v * g_2;
        block_add(&adj_factor, adj_factor_0);
        __syncthreads();

        // 10:  sum = 0.0f
        adj_sum = 0.0f;
    }

    // 8:  factor = b[blockIdx.x]
    float g = atomicExch(&adj_factor, 0.0f);
    block_add(&adj_b[blockIdx.x], g);

    // 7:  float v = x[i]
    adj_x[i] += adj_v;
}

// carved_buffer_adj: adjoint of carved_buffer (carved_buffer.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform carved_buffer.cu --of y --wrt x,w
//
// Call with x and w as they were before carved_buffer. Seed adj_y with dJ/dy: it is
// left alone, because carved_buffer stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   w[..]        reloaded   nothing stores to it
//   buffer[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]        +=, one owner       one thread per element
//   adj_w[..]        atomicAdd           every block reads the same w[k]
//   adj_buffer[..]   reduced per block   every thread reads the same buffer[blockDim.x
//                                        + k]
//   adj_buffer[..]   +=, by phase        an iteration hits an element once per block,
//                                        with a barrier between any two
//
// Extra memory: adj_buffer lies behind buffer in the launch's shared memory;
// carved_buffer_adj_shared_bytes(grid, block, shared_bytes, taps, n) says how many
// bytes to launch with.
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
// The bytes of dynamic shared memory that a launch needs: for buffer and adj_buffer.
extern "C" size_t carved_buffer_adj_shared_bytes(dim3 grid, dim3 block, size_t shared_bytes,
                                                 int taps, int n)
{
    long long count = (int)block.x > (long long)(int)block.x + taps ? (int)block.x
                      : (long long)(int)block.x + taps;
    return count > 0 ? 2 * (size_t)count * sizeof(float) : 0;
}
#endif

extern "C" __global__ void carved_buffer_adj(const float *__restrict__ x, float *__restrict__ adj_x,
                                             const float *__restrict__ w, float *__restrict__ adj_w,
                                             float *__restrict__ y, const float *__restrict__ adj_y,
                                             int taps, int n)
{
    extern __shared__ float buffer[];
    int buffer_size = (int)blockDim.x > (int)blockDim.x + taps ? (int)blockDim.x
                      : (int)blockDim.x + taps;
    float *adj_buffer = buffer + buffer_size;
    for (int q = threadIdx.x; q < buffer_size; q += blockDim.x)
        adj_buffer[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    buffer[t] = i < n ? x[i] : 0.0f;
    for (int k = t; k < taps; k += blockDim.x)
        buffer[blockDim.x + k] = w[k] * w[k];
    __syncthreads();

    // ---- reverse sweep ------------------------------------------------------

    float adj_sum = 0.0f;
    if (i < n) {
        // 18:  y[i] = sum
        adj_sum = adj_y[i];
    }
    for (int k = 0; k < taps; ++k) {
        float adj_buffer_sum = 0.0f;
        if (t >= k) {
            // 16:  sum += buffer[blockDim.x + k] * buffer[t - k]
            adj_buffer_sum = buffer[t - k] * adj_sum;
            adj_buffer[t - k] += buffer[blockDim.x + k] * adj_sum;
        }
        block_add(&adj_buffer[blockDim.x + k], adj_buffer_sum);
    }
    __syncthreads();
    for (int k = t; k < taps; k += blockDim.x) {
        // 11:  buffer[blockDim.x + k] = w[k] * w[k]
        atomicAdd(&adj_w[k], 2.0f * w[k] * adj_buffer[blockDim.x + k]);
    }

    // 9:  buffer[t] = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_buffer[t];
}

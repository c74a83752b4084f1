// delay_line_adj: adjoint of delay_line (delay_line.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform delay_line.cu --of y --wrt x,taps
//
// Call with x and taps as they were before delay_line. Seed adj_y with dJ/dy: it is
// left alone, because delay_line stores each element of y at most once. dJ/dx is added
// to adj_x; dJ/dtaps is added to adj_taps. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   line[k]    tape_line[samples][TAPS], global memory   line 10 overwrites it
//   taps[..]   reloaded                                  nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner       each thread has elements of its own
//   adj_taps[..]   reduced per block   every thread reads the same taps[k]
//
// Extra memory: a tape of ((long long)samples * TAPS) * sizeof(float) bytes (tape_line)
// per thread, in global memory; delay_line_adj_tape_bytes(grid, block, channels,
// samples) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define TAPS 4

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
extern "C" size_t delay_line_adj_tape_bytes(dim3 grid, dim3 block, int channels, int samples)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_line
    bytes += (threads * ((long long)(samples > 0 ? samples : 0) * TAPS) * sizeof(float) + 15) / 16
             * 16;
    return bytes;
}
#endif

extern "C" __global__ void delay_line_adj(const float *x, float *adj_x,
                                          const float *taps, float *adj_taps,
                                          float *y, const float *adj_y, int channels, int samples,
                                          char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_line = (float *)(tape + 16) + thread;
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_line[TAPS] = {};
    if (c < channels) {
        // ---- forward sweep ------------------------------------------------------

        float line[TAPS] = {0.0f};
        for (int t = 0; t < samples; ++t) {
            for (int k = TAPS - 1; k > 0; --k)
                line[k] = line[k - 1];
            line[0] = x[c * samples + t];
            for (int k = 0; k < TAPS; ++k)
                tape_line[((size_t)t * TAPS + k) * threads] = line[k];
        }
    }

    // ---- reverse sweep ------------------------------------------------------

    for (int t = samples - 1; t >= 0; --t) {
        float adj_sum;
        if (c < channels) {
            // 18:  y[c * samples + t] = sum
            adj_sum = adj_y[c * samples + t];
        }
        for (int k = 0; k < TAPS; ++k) {
            float adj_taps_sum = 0.0f;
            if (c < channels) {
                // 17:  sum += taps[k] * line[k] * line[k]
                float line_was = tape_line[((size_t)t * TAPS + k) * threads];
                adj_taps_sum = line_was * line_was * adj_sum;
                adj_line[k] += 2.0f * taps[k] * line_was * adj_sum;
            }
            block_add(&adj_taps[k], adj_taps_sum);
        }
        if (c < channels) {
            // 14:  line[0] = x[c * samples + t]
            adj_x[c * samples + t] += adj_line[0];
            adj_line[0] = 0.0f;
            for (int k = 1; k < TAPS; ++k) {
                // 13:  line[k] = line[k - 1]
                float g = adj_line[k];
                adj_line[k] = 0.0f;
                adj_line[k - 1] += g;
            }
        }
    }
}

// recurrent_state_adj: adjoint of recurrent_state (recurrent_state.cu:6).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform recurrent_state.cu --of out --wrt in,W
//
// Call with in and W as they were before recurrent_state. Seed adj_out with dJ/dout: it
// is left alone, because recurrent_state stores each element of out at most once.
// dJ/din is added to adj_in; dJ/dW is added to adj_W. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum     recomputed                           from values at hand, in the reversed
//                                                iteration
//   h[c]    tape_h[steps][H][H], global memory   line 21 overwrites it
//   W[..]   reloaded                             nothing stores to it
//
// How adjoints are added up:
//   adj_in[..]   +=, one owner       each thread has elements of its own
//   adj_W[..]    reduced per block   every thread reads the same W[r * H + c]
//
// Extra memory: a tape of ((long long)steps * H * H) * sizeof(float) bytes (tape_h) per
// thread, in global memory; recurrent_state_adj_tape_bytes(grid, block, n, steps) says
// how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define H 3

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
extern "C" size_t recurrent_state_adj_tape_bytes(dim3 grid, dim3 block, int n, int steps)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_h
    bytes += (threads * ((long long)(steps > 0 ? steps : 0) * H * H) * sizeof(float) + 15) / 16
             * 16;
    return bytes;
}
#endif

extern "C" __global__ void recurrent_state_adj(const float *in, float *adj_in,
                                               const float *W, float *adj_W,
                                               float *out, const float *adj_out, int n, int steps,
                                               char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_h = (float *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_h[H] = {};
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float h[H] = {0.0f, 0.0f, 0.0f};
        for (int t = 0; t < steps; ++t) {
            float next[H];
            for (int r = 0; r < H; ++r) {
                float sum = in[(i * steps + t) * H + r];
                for (int c = 0; c < H; ++c) {
                    tape_h[(((size_t)t * H + r) * H + c) * threads] = h[c];
                    sum += W[r * H + c] * h[c];
                }
                next[r] = tanhf(sum);
            }
            for (int r = 0; r < H; ++r)
                h[r] = next[r];
        }

        // ---- reverse sweep ------------------------------------------------------

        for (int r = 0; r < H; ++r) {
            // 24:  out[i * H + r] = h[r]
            adj_h[r] += adj_out[i * H + r];
        }
    }
    for (int t = steps - 1; t >= 0; --t) {
        float adj_next[H] = {};
        if (i < n)
            for (int r = H - 1; r >= 0; --r) {
                // 21:  h[r] = next[r]
                adj_next[r] += adj_h[r];
                adj_h[r] = 0.0f;
            }
        for (int r = H - 1; r >= 0; --r) {
            float adj_sum;
            if (i < n) {
                float sum = in[(i * steps + t) * H + r];
                for (int c = 0; c < H; ++c)
                    sum += W[r * H + c] * tape_h[(((size_t)t * H + r) * H + c) * threads];

                // 18:  next[r] = tanhf(sum)
                float r_2 = tanhf(sum);
                adj_sum = (1.0f - r_2 * r_2) * adj_next[r];
                adj_next[r] = 0.0f;
            }
            for (int c = 0; c < H; ++c) {
                float adj_W_sum = 0.0f;
                if (i < n) {
                    // 17:  sum += W[r * H + c] * h[c]
                    adj_W_sum = tape_h[(((size_t)t * H + r) * H + c) * threads] * adj_sum;
                    adj_h[c] += W[r * H + c] * adj_sum;
                }
                block_add(&adj_W[r * H + c], adj_W_sum);
            }
            if (i < n) {
                // 15:  float sum = in[(i * steps + t) * H + r]
                adj_in[(i * steps + t) * H + r] += adj_sum;
            }
        }
    }
}

// warp_steps_adj: adjoint of warp_steps (warp_steps.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_steps.cu --of y --wrt x,w
//
// Call with x and w as they were before warp_steps. Seed adj_y with dJ/dy: it is left
// alone, because warp_steps stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   h (line 8)                  tape_h[steps], global memory     line 11 or 14 changes it
//                                                                in each iteration
//   left, right, h (line 11),   recomputed                       from values at hand, in
//                                                                the reversed iteration
//   m, h_there
//   w[..]                       reloaded                         nothing stores to it
//   all                         tape_all[steps], global memory   no address or count is
//                                                                rounded twice
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_w[..]   reduced per block   every thread reads w[0], w[1] and w[2]
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Extra memory: a tape of steps * sizeof(float) bytes (tape_h) and steps * sizeof(int)
// bytes (tape_all) per thread, in global memory; warp_steps_adj_tape_bytes(grid, block,
// n, steps) says how many in all.
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

#define FULL 0xffffffffu

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
extern "C" size_t warp_steps_adj_tape_bytes(dim3 grid, dim3 block, int n, int steps)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;  // tape_h
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(int) + 15) / 16 * 16;  // tape_all
    return bytes;
}
#endif

extern "C" __global__ void warp_steps_adj(const float *x, float *adj_x,
                                          const float *w, float *adj_w,
                                          float *y, const float *adj_y, int n, int steps,
                                          char *tape)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        adj_w[0] = nanf("");
        return;
    }
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_h = (float *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;
    int *tape_all = (int *)(tape + at) + thread;
    int lane = threadIdx.x % 32;

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float h = i < n ? x[i] : 0.0f;
    for (int t = 0; t < steps; ++t) {
        tape_h[t * threads] = h;
        float left = __shfl_up_sync(FULL, h, 1);
        float right = __shfl_down_sync(FULL, h, 1);
        h = tanhf(w[0] * left + w[1] * h + w[2] * right);
        float m = fmaxf(h, __shfl_xor_sync(FULL, h, 4));
        int all = __all_sync(FULL, m < 0.9f);
        tape_all[t * threads] = all;
        if (all)
            h += 0.1f * m * __shfl_sync(FULL, h, t % 32);
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_h = 0.0f;
    if (i < n) {
        // 17:  y[i] = h
        adj_h = adj_y[i];
    }
    float adj_w_0 = 0.0f;
    float adj_w_1 = 0.0f;
    float adj_w_2 = 0.0f;
    for (int t = steps - 1; t >= 0; --t) {
        float h = tape_h[t * threads];
        int all = tape_all[t * threads];
        float left = __shfl_up_sync(FULL, h, 1);
        float right = __shfl_down_sync(FULL, h, 1);
        float h_2 = tanhf(w[0] * left + w[1] * h + w[2] * right);
        float m = fmaxf(h_2, __shfl_xor_sync(FULL, h_2, 4));
        float adj_m = 0.0f;
        if (all) {
            // 14:  h += 0.1f * m * __shfl_sync(FULL, h, t % 32)
            adj_m = 0.1f * __shfl_sync(FULL, h_2, t % 32) * adj_h;
            float total = 0.1f * m * adj_h;
            for (int d = 16; d > 0; d /= 2)
                total += __shfl_xor_sync(FULL, total, d);
            if (lane == ((t % 32) & 31))
                adj_h += total;
        }
        float adj_h_across = 0.0f;

        // 12:  float m = fmaxf(h, __shfl_xor_sync(FULL, h, 4))
        if (m == h_2)
            adj_h += adj_m;
        else
            adj_h_across = adj_m;
        adj_h += __shfl_xor_sync(FULL, adj_h_across, 4);

        // 11:  h = tanhf(w[0] * left + w[1] * h + w[2] * right)
        float g = (1.0f - h_2 * h_2) * adj_h;
        adj_w_0 += left * g;
        float adj_left = w[0] * g;
        adj_w_1 += h * g;
        adj_w_2 += right * g;
        float adj_right = w[2] * g;
        adj_h = w[1] * g;

        // 10:  float right = __shfl_down_sync(FULL, h, 1)
        float from_below = __shfl_up_sync(FULL, adj_right, 1);
        adj_h += (lane >= 1 ? from_below : 0.0f) + (lane + 1 >= 32 ? adj_right : 0.0f);

        // 9:  float left = __shfl_up_sync(FULL, h, 1)
        float from_above = __shfl_down_sync(FULL, adj_left, 1);
        adj_h += (lane + 1 < 32 ? from_above : 0.0f) + (lane < 1 ? adj_left : 0.0f);
    }
    block_add(&adj_w[0], adj_w_0);
    block_add(&adj_w[1], adj_w_1);
    block_add(&adj_w[2], adj_w_2);

    // 7:  float h = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_h;
}

// one_sided_window_adj: adjoint of one_sided_window (one_sided_window.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform one_sided_window.cu --of x,y --wrt x,w,s
//
// Call with x, w and s as they were before one_sided_window. Seed adj_y with dJ/dy: it
// is left alone, because one_sided_window stores each element of y at most once. adj_x
// comes in as dJ/dx after one_sided_window and goes out as dJ/dx before it, element by
// element. dJ/dw is added to adj_w; dJ/ds is added to adj_s. y is neither read nor
// written. The content of x afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   first, last, of   recomputed                                           from values at hand, in
//                                                                          the reversed iteration
//   line[c]           tape_x[n][2 * ((size - 1) / 2) + 1], global memory   line 16 overwrites it
//   w[..], s[..]      reloaded                                             nothing stores to it
//   v (line 20)       tape_v_2[2], registers                               line 25 changes it in
//                                                                          each iteration
//   v (line 23)       tape_v[4], registers                                 line 25 changes it in
//                                                                          each iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       each thread has elements of its own
//   adj_w[..]   reduced per block   all threads of a block read the same w[c]
//   adj_s[..]   atomicAdd           not proved that two threads never meet in s[of]
//
// Extra memory: a tape of (n * (2 * ((size - 1) / 2) + 1)) * sizeof(float) bytes
// (tape_x) per thread, in global memory; one_sided_window_adj_tape_bytes(grid, block,
// n, size) says how many in all.
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
extern "C" size_t one_sided_window_adj_tape_bytes(dim3 grid, dim3 block, int n, int size)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_x
    bytes += (threads
              * ((n > 0 ? n : 0) * (2 * ((size - 1) / 2) + 1 > 0 ? 2 * ((size - 1) / 2) + 1 : 0))
              * sizeof(float) + 15) / 16 * 16;
    return bytes;
}
#endif

__global__ void one_sided_window_adj(float *x, float *adj_x,
                                     const float *w, float *adj_w,
                                     const float *s, float *adj_s,
                                     float *y, const float *adj_y, int n, int size, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_x = (float *)(tape + 16) + thread;
    __shared__ int turn[64];

    // ---- forward sweep ------------------------------------------------------

    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n; i += 1) {
        int half = (size - 1) / 2;
        int first = max(i - half, 0);
        int last = min(i + half + 1, n);
        float sum = 0.0f;
        for (int c = first; c < last; c += 1) {
            tape_x[((size_t)i * (2 * ((size - 1) / 2) + 1) + (c - first)) * threads] = x[row * n
                                                                                         + c];
            sum += x[row * n + c] * x[row * n + c] * w[c];
        }
        x[row * n + i] = sum;
    }

    float v = 1.0f;
    float tape_v_2[2];
    for (int start = 0; start < 128; start += 64) {
        tape_v_2[start / 64] = v;
        turn[threadIdx.x] = (start + threadIdx.x * 5) % 7;
        __syncthreads();
        for (int k = 0; k < 64; k += 512 / warpSize) {
            int of = turn[(threadIdx.x + k) % blockDim.x];
            v *= s[of];
        }
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    // 29:  y[row] = v
    float adj_v = adj_y[row];
    for (int start = 64; start >= 0; start -= 64) {
        float v = tape_v_2[start / 64];
        turn[threadIdx.x] = (start + threadIdx.x * 5) % 7;
        __syncthreads();
        float tape_v[4];
        for (int k = 0; k < 64; k += 512 / warpSize) {
            tape_v[k / (512 / warpSize)] = v;
            int of = turn[(threadIdx.x + k) % blockDim.x];
            v *= s[of];
        }
        for (int k = 48; k >= 0; k -= 512 / warpSize) {
            float v = tape_v[k / (512 / warpSize)];
            int of = turn[(threadIdx.x + k) % blockDim.x];

            // 25:  v *= s[of]
            atomicAdd(&adj_s[of], v * adj_v);
            adj_v *= s[of];
        }
        __syncthreads();
    }
    for (int i = n - 1; i >= 0; --i) {
        int half = (size - 1) / 2;
        int first = max(i - half, 0);
        int last = min(i + half + 1, n);

        // 16:  line[i] = sum
        float adj_sum = adj_x[row * n + i];
        adj_x[row * n + i] = 0.0f;
        for (int c = first; c < last; ++c) {
            // 15:  sum += line[c] * line[c] * w[c]
            float x_was = tape_x[((size_t)i * (2 * ((size - 1) / 2) + 1) + (c - first)) * threads];
            adj_x[row * n + c] += 2.0f * x_was * w[c] * adj_sum;
            block_add(&adj_w[c], x_was * x_was * adj_sum);
        }
    }
}

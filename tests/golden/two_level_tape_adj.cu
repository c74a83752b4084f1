// two_level_tape_adj: adjoint of two_level_tape (two_level_tape.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform two_level_tape.cu --of y --wrt x,a
//
// Call with x and a as they were before two_level_tape. Seed adj_y with dJ/dy: it is
// left alone, because two_level_tape stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/da is added to adj_a. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s (line 9)    tape_s_2[outer], global memory   line 11 or 12 changes it in each
//                                                  iteration
//   s (line 10)   tape_s[inner], global memory     line 11 changes it in each iteration
//   s (line 10)   recomputed                       from values at hand, in the reversed
//                                                  iteration
//   a[..]         reloaded                         nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_a[..]   reduced per block   every thread reads the same a[k]
//
// Extra memory: a tape of inner * sizeof(float) bytes (tape_s) and outer *
// sizeof(float) bytes (tape_s_2) per thread, in global memory;
// two_level_tape_adj_tape_bytes(grid, block, n, outer, inner) says how many in all.
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
extern "C" size_t two_level_tape_adj_tape_bytes(dim3 grid, dim3 block, int n, int outer, int inner)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (inner > 0 ? inner : 0) * sizeof(float) + 15) / 16 * 16;  // tape_s
    bytes += (threads * (outer > 0 ? outer : 0) * sizeof(float) + 15) / 16 * 16;  // tape_s_2
    return bytes;
}
#endif

extern "C" __global__ void two_level_tape_adj(const float *x, float *adj_x,
                                              const float *a, float *adj_a,
                                              float *y, const float *adj_y, int n, int outer,
                                              int inner, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_s = (float *)(tape + at) + thread;
    at += (threads * (inner > 0 ? inner : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_s_2 = (float *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_s;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float s = x[i];
        for (int t = 0; t < outer; ++t) {
            tape_s_2[t * threads] = s;
            for (int k = 0; k < inner; ++k)
                s = s + a[k] * sinf(s * (t + 1));
            s = s * s * 0.5f;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 14:  y[i] = s
        adj_s = adj_y[i];
    }
    for (int t = outer - 1; t >= 0; --t) {
        if (i < n) {
            float s = tape_s_2[t * threads];
            for (int k = 0; k < inner; ++k) {
                tape_s[k * threads] = s;
                s = s + a[k] * sinf(s * (t + 1));
            }

            // 12:  s = s * s * 0.5f
            adj_s *= s;
        }
        for (int k = inner - 1; k >= 0; --k) {
            float adj_a_sum = 0.0f;
            if (i < n) {
                float s = tape_s[k * threads];

                // 11:  s = s + a[k] * sinf(s * (t + 1))
                float sine;
                float cosine;
                sincosf(s * (t + 1), &sine, &cosine);
                adj_a_sum = sine * adj_s;
                adj_s += a[k] * cosine * (t + 1) * adj_s;
            }
            block_add(&adj_a[k], adj_a_sum);
        }
    }
    if (i < n) {
        // 8:  float s = x[i]
        adj_x[i] += adj_s;
    }
}

// stored_and_recomputed_adj: adjoint of stored_and_recomputed (stored_and_recomputed.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform stored_and_recomputed.cu --of y --wrt x --store v --recompute e
//
// Call with x as it was before stored_and_recomputed. Seed adj_y with dJ/dy: it is left
// alone, because stored_and_recomputed stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v       tape_v[m], global memory   --store asks for it
//   x[..]   reloaded                   nothing stores to it
//   e       recomputed                 from values at hand, in the reversed iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//
// Extra memory: a tape of m * sizeof(float) bytes (tape_v) per thread, in global
// memory; stored_and_recomputed_adj_tape_bytes(grid, block, n, m) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t stored_and_recomputed_adj_tape_bytes(dim3 grid, dim3 block, int n, int m)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (m > 0 ? m : 0) * sizeof(float) + 15) / 16 * 16;  // tape_v
    return bytes;
}
#endif

extern "C" __global__ void stored_and_recomputed_adj(const float *x, float *adj_x,
                                                     float *y, const float *adj_y, int n, int m,
                                                     char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_v = (float *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    for (int k = 0; k < m; ++k) {
        float v = sinf(x[i * m + k]) * cosf(x[i * m + k]);
        tape_v[k * threads] = v;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 14:  y[i] = s
    float adj_s = adj_y[i];
    for (int k = 0; k < m; ++k) {
        float v = tape_v[k * threads];
        float e = expf(-v * v);

        // 12:  s += v * e
        float adj_v = e * adj_s;
        // 11:  float e = expf(-v * v)
        adj_v -= 2.0f * v * e * v * adj_s;

        // 10:  float v = sinf(x[i * m + k]) * cosf(x[i * m + k])
        float sine;
        float cosine;
        sincosf(x[i * m + k], &sine, &cosine);
        adj_x[i * m + k] += (cosine * cosine - sine * sine) * adj_v;
    }
}

// pointer_walk_adj: adjoint of pointer_walk (pointer_walk.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform pointer_walk.cu --of y --wrt x,w
//
// Call with x and w as they were before pointer_walk. Seed adj_y with dJ/dy: it is left
// alone, because pointer_walk stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   p_at               tape_p_at[n], global memory   line 15 changes it in each
//                                                    iteration
//   q_at               inverted                      each iteration adds 1
//   trips of line 12   trips, a register             the loop decides in its iterations
//                                                    when it ends
//   v                  recomputed                    from values at hand, in the
//                                                    reversed iteration
//   w[..]              reloaded                      nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//   adj_w[..]   atomicAdd       every thread reads the same *q++
//
// Extra memory: a tape of n * sizeof(long) bytes (tape_p_at) per thread, in global
// memory; pointer_walk_adj_tape_bytes(grid, block, rows, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t pointer_walk_adj_tape_bytes(dim3 grid, dim3 block, int rows, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (n > 0 ? n : 0) * sizeof(long) + 15) / 16 * 16;  // tape_p_at
    return bytes;
}
#endif

extern "C" __global__ void pointer_walk_adj(const float *x, float *adj_x,
                                            const float *w, float *adj_w,
                                            float *y, const float *adj_y, int rows, int n,
                                            char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    long *tape_p_at = (long *)(tape + 16) + thread;
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;

    // ---- forward sweep ------------------------------------------------------

    long p_at = r;
    long q_at = 0;
    int trips = 0;
    while (q_at < n) {
        tape_p_at[trips * threads] = p_at;
        q_at++;
        p_at += rows;
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 17:  y[r] = s
    float adj_s = adj_y[r];
    for (int trip = trips - 1; trip >= 0; --trip) {
        long p_at = tape_p_at[trip * threads];
        float v = x[p_at];

        // 14:  s += v * v * *q++
        atomicAdd(&adj_w[trip], v * v * adj_s);
        // 13:  float v = *p
        adj_x[p_at] += 2.0f * v * w[trip] * adj_s;
    }
}

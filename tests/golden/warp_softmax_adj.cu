// warp_softmax_adj: adjoint of warp_softmax (warp_softmax.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_softmax.cu --of y --wrt x
//
// Call with x as it was before warp_softmax. Seed adj_y with dJ/dy: it is left alone,
// because warp_softmax stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   m (line 10)                tape_m[(cols + 31) / 32], global memory   line 11 changes it in
//                                                                        each iteration
//   m (line 11), m (line 13)   recomputed                                from values at hand, in
//                                                                        the reversed iteration
//   m (line 12)                tape_m_2[5], registers                    line 13 changes it in
//                                                                        each iteration
//   d                          inverted                                  each iteration divides
//                                                                        it by 2
//   trips of line 12           trips, a register                         the loop decides in its
//                                                                        iterations when it ends
//   m (line 12), s             reloaded                                  still in its variable
//   x[..]                      reloaded                                  nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element, the one that stores y[row *
//                               cols + k]
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Extra memory: a tape of (((long long)cols + 31) / 32) * sizeof(float) bytes (tape_m)
// per thread, in global memory; warp_softmax_adj_tape_bytes(grid, block, rows, cols)
// says how many in all.
//
// Assumed: the launch is 2-D, no two threads store the same y[row * cols + k],
// blockDim.x is a multiple of 32, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t warp_softmax_adj_tape_bytes(dim3 grid, dim3 block, int rows, int cols)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_m
    bytes += (threads * (((long long)cols + 31) / 32 > 0 ? ((long long)cols + 31) / 32 : 0)
              * sizeof(float) + 15) / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void warp_softmax_adj(const float *x, float *adj_x,
                                            float *y, const float *adj_y, int rows, int cols,
                                            char *tape)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = 0.0f / 0.0f;
        return;
    }
    size_t threads = (size_t)gridDim.x * gridDim.y * gridDim.z
                     * ((size_t)blockDim.x * blockDim.y * blockDim.z);
    size_t thread = (((((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x)
                      * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y) * blockDim.x
                    + threadIdx.x;
    float *tape_m = (float *)(tape + 16) + thread;
    int lane = threadIdx.x;
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;

    // ---- forward sweep ------------------------------------------------------

    float m = -(1.0f / 0.0f);
    for (int k = lane; k < cols; k += 32) {
        tape_m[(k - lane) / 32 * threads] = m;
        m = fmaxf(m, x[row * cols + k]);
    }
    int trips = 0;
    float tape_m_2[5];
    for (int d = warpSize / 2; d > 0; d >>= 1) {
        tape_m_2[trips] = m;
        m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
        ++trips;
    }
    float s = 0.0f;
    for (int k = lane; k < cols; k += 32)
        s += expf(x[row * cols + k] - m);
    for (int d = warpSize / 2; d > 0; d >>= 1)
        s += __shfl_xor_sync(0xffffffff, s, d);

    // ---- reverse sweep ------------------------------------------------------

    float adj_s = 0.0f;
    float adj_m = 0.0f;
    for (int k = lane; k < cols; k += 32) {
        // 20:  y[row * cols + k] = expf(x[row * cols + k] - m) / s
        float g = adj_y[row * cols + k] / s;
        float g_2 = expf(x[row * cols + k] - m) * g;
        adj_x[row * cols + k] += g_2;
        adj_m -= g_2;
        adj_s -= expf(x[row * cols + k] - m) / s * g;
    }
    for (int d = 1; d <= warpSize / 2; d *= 2) {
        // 18:  s += __shfl_xor_sync(0xffffffff, s, d)
        adj_s += __shfl_xor_sync(0xffffffff, adj_s, d);
    }
    for (int k = lane; k < cols; k += 32) {
        // 16:  s += expf(x[row * cols + k] - m)
        float g = expf(x[row * cols + k] - m) * adj_s;
        adj_x[row * cols + k] += g;
        adj_m -= g;
    }
    for (int trip = trips - 1; trip >= 0; --trip) {
        float m = tape_m_2[trip];
        int d = (warpSize / 2) >> trip;
        float m_2 = m;
        m_2 = fmaxf(m_2, __shfl_xor_sync(0xffffffff, m_2, d));
        float adj_m_across = 0.0f;

        // 13:  m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d))
        float g = adj_m;
        adj_m = 0.0f;
        if (m_2 == m)
            adj_m += g;
        else
            adj_m_across += g;
        adj_m += __shfl_xor_sync(0xffffffff, adj_m_across, d);
    }
    for (int k = lane + (cols - lane + 31) / 32 * 32 - 32; k >= lane; k -= 32) {
        float m = tape_m[(k - lane) / 32 * threads];
        float m_2 = m;
        m_2 = fmaxf(m_2, x[row * cols + k]);

        // 11:  m = fmaxf(m, x[row * cols + k])
        float g = adj_m;
        adj_m = 0.0f;
        if (m_2 == m)
            adj_m += g;
        else
            adj_x[row * cols + k] += g;
    }
}

// warp_rows_shift_adj: adjoint of warp_rows_shift (warp_rows_shift.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_rows_shift.cu --of y --wrt x,w
//
// Call with x and w as they were before warp_rows_shift. Seed adj_y with dJ/dy: it is
// left alone, because warp_rows_shift stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   w[..], x[..]   reloaded     nothing stores to it
//   s, q           recomputed   from values at hand, in the reversed iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//   adj_w[..]   atomicAdd       not proved that two threads never meet in w[k]
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

__global__ void warp_rows_shift_adj(const float *x, float *adj_x,
                                    const float *w, float *adj_w,
                                    float *y, const float *adj_y, int n, int m)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        adj_w[0] = nanf("");
        return;
    }
    int lane = threadIdx.x & 31;
    for (int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5); row < n;
         row += gridDim.x * (blockDim.x >> 5)) {
        float s = 0.0f;
        for (int k = lane; k < m; k += 32)
            s += x[row * m + k] * w[k];
        for (int d = 16; d; d >>= 1)
            s += __shfl_xor_sync(0xffffffffu, s, d);
        float q = 0.0f;
        for (int k = lane; k < m; k += 32)
            q += (x[row * m + k] - s) * (x[row * m + k] - s) * w[k];
        for (int d = 16; d; d >>= 1)
            q += __shfl_down_sync(0xffffffffu, q, d);
        float adj_q = 0.0f;
        if (lane == 0) {
            // 20:  y[row] = sqrtf(q + 1.0f)
            float g = adj_y[row];
            if (g != 0.0f)
                adj_q = 0.5f * g * rsqrtf(q + 1.0f);
        }

        // 17:  for (int d = 16; d; d >>= 1)
        // only the first lane's sum is used, and it holds every lane's value once
        adj_q = __shfl_sync(0xffffffffu, adj_q, 0);
        float adj_s = 0.0f;
        for (int k = lane; k < m; k += 32) {
            // 16:  q += (p[k] - s) * (p[k] - s) * w[k]
            float g = 2.0f * (x[row * m + k] - s) * w[k] * adj_q;
            adj_x[row * m + k] += g;
            adj_s -= g;
            atomicAdd(&adj_w[k], (x[row * m + k] - s) * (x[row * m + k] - s) * adj_q);
        }
        for (int d = 1; d <= 16; d *= 2) {
            // 13:  s += __shfl_xor_sync(0xffffffffu, s, d)
            adj_s += __shfl_xor_sync(0xffffffffu, adj_s, d);
        }
        for (int k = lane; k < m; k += 32) {
            // 11:  s += p[k] * w[k]
            adj_x[row * m + k] += w[k] * adj_s;
            atomicAdd(&adj_w[k], x[row * m + k] * adj_s);
        }
    }
}

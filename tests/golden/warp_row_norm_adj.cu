// warp_row_norm_adj: adjoint of warp_row_norm (warp_row_norm.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_row_norm.cu --of y --wrt x
//
// Call with x as it was before warp_row_norm. Seed adj_y with dJ/dy: it is left alone,
// because warp_row_norm stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//   s       reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

extern "C" __global__ void warp_row_norm_adj(const float *x, float *adj_x,
                                             float *y, const float *adj_y, int rows, int cols)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows)
        return;

    // ---- forward sweep ------------------------------------------------------

    float s = 0.0f;
    for (int k = lane; k < cols; k += 32)
        s += x[row * cols + k] * x[row * cols + k];
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_down_sync(0xffffffffu, s, d);

    // ---- reverse sweep ------------------------------------------------------

    float adj_s = 0.0f;
    if (lane == 0) {
        // 15:  y[row] = sqrtf(s)
        float g = adj_y[row];
        if (g != 0.0f)
            adj_s = 0.5f * g * rsqrtf(s);
    }

    // 12:  for (int d = 16; d > 0; d /= 2)
    // only the first lane's sum is used, and it holds every lane's value once
    adj_s = __shfl_sync(0xffffffffu, adj_s, 0);
    for (int k = lane; k < cols; k += 32) {
        // 11:  s += x[row * cols + k] * x[row * cols + k]
        adj_x[row * cols + k] += 2.0f * x[row * cols + k] * adj_s;
    }
}

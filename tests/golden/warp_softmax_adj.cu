// warp_softmax_adj: adjoint of warp_softmax (warp_softmax.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_softmax.cu --of y --wrt x
//
// Call with x as it was before warp_softmax. Seed adj_y with dJ/dy: it is left alone,
// because warp_softmax stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   m, s    reloaded   still in its variable
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element, the one that stores y[row *
//                               cols + k]
//   adj_m       none            m cancels: no result changes with it
//
// Assumed: the launch is 2-D, no two threads store the same y[row * cols + k],
// blockDim.x is a multiple of 32, arrays don't overlap, no index wraps.

extern "C" __global__ void warp_softmax_adj(const float *x, float *adj_x,
                                            float *y, const float *adj_y, int rows, int cols)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    int lane = threadIdx.x;
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;

    // ---- forward sweep ------------------------------------------------------

    float m = -(1.0f / 0.0f);
    for (int k = lane; k < cols; k += 32)
        m = fmaxf(m, x[row * cols + k]);
    for (int d = warpSize / 2; d > 0; d >>= 1)
        m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
    float s = 0.0f;
    for (int k = lane; k < cols; k += 32)
        s += expf(x[row * cols + k] - m);
    for (int d = warpSize / 2; d > 0; d >>= 1)
        s += __shfl_xor_sync(0xffffffff, s, d);

    // ---- reverse sweep ------------------------------------------------------

    float adj_s = 0.0f;
    float per_s = 1.0f / s;
    for (int k = lane; k < cols; k += 32) {
        // 20:  y[row * cols + k] = expf(x[row * cols + k] - m) / s
        float g = adj_y[row * cols + k] * per_s;
        adj_x[row * cols + k] += expf(x[row * cols + k] - m) * g;
        adj_s -= expf(x[row * cols + k] - m) * per_s * g;
    }
    for (int d = 1; d <= warpSize / 2; d *= 2) {
        // 18:  s += __shfl_xor_sync(0xffffffff, s, d)
        adj_s += __shfl_xor_sync(0xffffffff, adj_s, d);
    }
    for (int k = lane; k < cols; k += 32) {
        // 16:  s += expf(x[row * cols + k] - m)
        adj_x[row * cols + k] += expf(x[row * cols + k] - m) * adj_s;
    }
}

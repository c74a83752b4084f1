// warp_scan_adj: adjoint of warp_scan (warp_scan.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_scan.cu --of y --wrt x
//
// Call with x as it was before warp_scan. Seed adj_y with dJ/dy: it is left alone,
// because warp_scan stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

#define FULL 0xffffffffu

extern "C" __global__ void warp_scan_adj(const float *x, float *adj_x,
                                         float *y, const float *adj_y, int n)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    float v = i < n ? x[i] : 0.0f;
    for (int d = 1; d < 32; d *= 2) {
        float left = __shfl_up_sync(FULL, v, d);
        if (lane >= d)
            v += left;
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_v = 0.0f;
    if (i < n) {
        // 15:  y[i] = v * v
        adj_v = 2.0f * v * adj_y[i];
    }
    for (int d = 16; d > 0; d /= 2) {
        float adj_left = 0.0f;
        if (lane >= d) {
            // 12:  v += left
            adj_left = adj_v;
        }

        // 10:  float left = __shfl_up_sync(FULL, v, d)
        float from_above = __shfl_down_sync(FULL, adj_left, d);
        adj_v += (lane + d < 32 ? from_above : 0.0f) + (lane < d ? adj_left : 0.0f);
    }

    // 8:  float v = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_v;
}

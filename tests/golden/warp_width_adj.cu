// warp_width_adj: adjoint of warp_width (warp_width.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_width.cu --of y --wrt x
//
// Call with x as it was before warp_width. Seed adj_y with dJ/dy: it is left alone,
// because warp_width stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, s, left, partner,   reloaded   still in its variable
//   head
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

extern "C" __global__ void warp_width_adj(const double *x, double *adj_x,
                                          double *y, const double *adj_y, int n)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nan("");
        return;
    }
    int lane = threadIdx.x % 32;

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = i < n ? x[i] : 0.0;
    double s = v;
    for (int d = 8; d > 0; d >>= 1)
        s += __shfl_down_sync(0xffffffff, s, d, 16);
    double left = __shfl_up_sync(0xffffffff, v, 3, 8);
    double partner = __shfl_xor_sync(0xffffffff, v, 5, 8);
    double head = __shfl_sync(0xffffffff, v, 0, 16);

    // ---- reverse sweep ------------------------------------------------------

    double adj_head = 0.0;
    double adj_partner = 0.0;
    double adj_left = 0.0;
    double adj_v = 0.0;
    double adj_s = 0.0;
    if (i < n) {
        // 14:  y[i] = s * v + left * partner - head * head
        double g = adj_y[i];
        adj_s = v * g;
        adj_v += s * g;
        adj_left = partner * g;
        adj_partner = left * g;
        adj_head = -(2.0 * head * g);
    }

    // 12:  double head = __shfl_sync(0xffffffff, v, 0, 16)
    double total = adj_head;
    for (int d = 8; d > 0; d /= 2)
        total += __shfl_xor_sync(0xffffffff, total, d, 16);
    if (lane % 16 == 0)
        adj_v += total;

    // 11:  double partner = __shfl_xor_sync(0xffffffff, v, 5, 8)
    adj_v += __shfl_xor_sync(0xffffffff, adj_partner, 5, 8);

    // 10:  double left = __shfl_up_sync(0xffffffff, v, 3, 8)
    double from_above = __shfl_down_sync(0xffffffff, adj_left, 3, 8);
    adj_v += (lane % 8 + 3 < 8 ? from_above : 0.0) + (lane % 8 < 3 ? adj_left : 0.0);
    for (int d = 1; d <= 8; d *= 2) {
        // 9:  s += __shfl_down_sync(0xffffffff, s, d, 16)
        double from_below = __shfl_up_sync(0xffffffff, adj_s, d, 16);
        adj_s += (lane % 16 >= d ? from_below : 0.0) + (lane % 16 + d >= 16 ? adj_s : 0.0);
    }

    // 7:  double s = v
    adj_v += adj_s;
    // 6:  double v = i < n ? x[i] : 0.0
    if (i < n)
        adj_x[i] += adj_v;
}

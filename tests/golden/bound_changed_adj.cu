// bound_changed_adj: adjoint of bound_changed (bound_changed.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform bound_changed.cu --of y --wrt x
//
// Call with x as it was before bound_changed. Seed adj_y with dJ/dy: it is left alone,
// because bound_changed stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s (line 10)        snapshot_s[16], local memory     line 11 changes it in each
//                                                       iteration, and nothing bounds
//                                                       their number
//   k                  inverted                         each iteration adds 1
//   trips of line 10   trips, a register                the loop decides in its
//                                                       iterations when it ends
//   s (line 16)        snapshot_s_2[16], local memory   line 17 changes it in each
//                                                       iteration, and nothing bounds
//                                                       their number
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void bound_changed_adj(const double *x, double *adj_x,
                                             double *y, const double *adj_y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double s = x[i];
    int last = m;
    int trips = 0;
    double snapshot_s[16];
    int stride = 1;
    for (int k = 0; k < last; k++) {
        if (trips % stride == 0) {
            if (trips == 16 * stride) {
                for (int j = 1; j < 8; ++j)
                    snapshot_s[j] = snapshot_s[2 * j];
                stride *= 2;
            }
            snapshot_s[trips / stride] = s;
        }
        s = s + 0.3 * sin(s) * (k + 1);
        if (s > 1.0)
            last = last - 1;
        ++trips;
    }
    last = i % 4;
    double snapshot_s_2[16];
    int stride_2 = 1;
    for (int k = 0; k < last; k++) {
        if (k % stride_2 == 0) {
            if (k == 16 * stride_2) {
                for (int j = 1; j < 8; ++j)
                    snapshot_s_2[j] = snapshot_s_2[2 * j];
                stride_2 *= 2;
            }
            snapshot_s_2[k / stride_2] = s;
        }
        s = s * s * 0.5;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 19:  y[i] = s + last
    double adj_s = adj_y[i];
    for (int k = last - 1; k >= 0; --k) {
        double s = snapshot_s_2[k / stride_2];
        for (int r = k / stride_2 * stride_2; r < k; ++r)
            s = s * s * 0.5;

        // 17:  s = s * s * 0.5
        adj_s *= s;
    }
    for (int trip = trips - 1; trip >= 0; --trip) {
        double s = snapshot_s[trip / stride];
        for (int r = trip / stride * stride; r < trip; ++r)
            s = s + 0.3 * sin(s) * (r + 1);

        // 11:  s = s + 0.3 * sin(s) * (k + 1)
        adj_s += 0.3 * (trip + 1) * cos(s) * adj_s;
    }

    // 8:  double s = x[i]
    adj_x[i] += adj_s;
}

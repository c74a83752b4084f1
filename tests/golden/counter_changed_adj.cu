// counter_changed_adj: adjoint of counter_changed (counter_changed.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform counter_changed.cu --of y --wrt x
//
// Call with x and skip as they were before counter_changed. Seed adj_y with dJ/dy: it
// is left alone, because counter_changed stores each element of y at most once. dJ/dx
// is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s                 snapshot_s[16], local memory   line 10 changes it in each
//                                                    iteration, and nothing bounds
//                                                    their number
//   k                 snapshot_k[16], local memory   line 9 or 12 changes it in each
//                                                    iteration, and nothing bounds
//                                                    their number
//   trips of line 9   trips, a register              the loop decides in its iterations
//                                                    when it ends
//   x[..]             reloaded                       nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in x[k % n]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void counter_changed_adj(const double *x, double *adj_x, const int *skip,
                                               double *y, const double *adj_y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double s = 1.0;
    int trips = 0;
    double snapshot_s[16];
    int snapshot_k[16];
    int stride = 1;
    for (int k = i; k < i + m; k++) {
        if (trips % stride == 0) {
            if (trips == 16 * stride) {
                for (int j = 1; j < 8; ++j) {
                    snapshot_s[j] = snapshot_s[2 * j];
                    snapshot_k[j] = snapshot_k[2 * j];
                }
                stride *= 2;
            }
            snapshot_s[trips / stride] = s;
            snapshot_k[trips / stride] = k;
        }
        s = s * x[k % n] + 0.5;
        if (skip[k % n])
            k += 2;
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 14:  y[i] = s
    double adj_s = adj_y[i];
    for (int trip = trips - 1; trip >= 0; --trip) {
        double s = snapshot_s[trip / stride];
        int k = snapshot_k[trip / stride];
        for (int r = trip / stride * stride; r < trip; ++r) {
            s = s * x[k % n] + 0.5;
            if (skip[k % n])
                k += 2;
            k++;
        }

        // 10:  s = s * x[k % n] + 0.5
        atomicAdd(&adj_x[k % n], s * adj_s);
        adj_s *= x[k % n];
    }
}

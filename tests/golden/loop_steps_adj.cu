// loop_steps_adj: adjoint of loop_steps (loop_steps.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform loop_steps.cu --of y --wrt x
//
// Call with x as it was before loop_steps. Seed adj_y with dJ/dy: it is left alone,
// because loop_steps stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s (line 9)    ds_dx, carried forward    line 10 changes it in each iteration, and
//                                           inputs are few
//   s (line 11)   ds_ds0, carried forward   line 12 changes it in each iteration, and
//                                           inputs are few
//   s (line 13)   ds_ds0, carried forward   line 14 changes it in each iteration, and
//                                           inputs are few
//   s (line 15)   ds_ds0, carried forward   line 16 changes it in each iteration, and
//                                           inputs are few
//   s (line 17)   ds_ds0, carried forward   line 18 changes it in each iteration, and
//                                           inputs are few
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void loop_steps_adj(const double *x, double *adj_x,
                                          double *y, const double *adj_y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double s = x[i];
    double ds_dx = 1.0;
    for (int k = 1; k <= m; k += 2) {
        ds_dx += 0.2 * k * s * ds_dx;
        s = s + 0.1 * k * s * s;
    }
    double ds_ds0 = 1.0;
    for (int k = m; k > 0; k -= 3) {
        double sine;
        double cosine;
        sincos(0.1 * k * s, &sine, &cosine);
        ds_ds0 *= cosine - s * sine * (0.1 * k);
        s = s * cosine;
    }
    double ds_ds0_2 = 1.0;
    for (int k = 0; k != m; k++) {
        ds_ds0_2 += 0.02 * k * s * ds_ds0_2;
        s = s + 0.01 * k * s * s;
    }
    double ds_ds0_3 = 1.0;
    for (int k = m - 1; k >= 2; k -= 2) {
        ds_ds0_3 -= 0.1 * k * s * ds_ds0_3;
        s = s - 0.05 * k * s * s;
    }
    double ds_ds0_4 = 1.0;
    for (int k = i % 3; k < m; k += 3) {
        double sine;
        double cosine;
        sincos(s, &sine, &cosine);
        ds_ds0_4 *= cosine;
        s = sine + 0.1 * k;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 19:  y[i] = s
    double adj_s = adj_y[i];
    // 17:  for (int k = i % 3; k < m; k += 3)
    // its tangents, carried along, are what it owes
    adj_s *= ds_ds0_4;
    // 15:  for (int k = m - 1; k >= 2; k = k - 2)
    // its tangents, carried along, are what it owes
    adj_s *= ds_ds0_3;
    // 13:  for (int k = 0; k != m; k++)
    // its tangents, carried along, are what it owes
    adj_s *= ds_ds0_2;
    // 11:  for (int k = m; k > 0; k -= 3)
    // its tangents, carried along, are what it owes
    adj_s *= ds_ds0;
    // 9:  for (int k = 1; k <= m; k += 2)
    // its tangents, carried along, are what it owes
    adj_s *= ds_dx;
    // 8:  double s = x[i]
    adj_x[i] += adj_s;
}

// own_element_adj: adjoint of own_element (own_element.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform own_element.cu --of u --wrt u,c
//
// Call with u and c as they were before own_element. adj_u comes in as dJ/du after
// own_element and goes out as dJ/du before it, element by element. dJ/dc is added to
// adj_c. u is only read.
//
// What the reverse sweep needs, and where it finds it:
//   u_i (line 9)      snapshot_u_i[16], local memory    line 10 changes it in each
//                                                       iteration, and nothing bounds
//                                                       their number
//   trips of line 9   trips, a register                 the loop decides in its
//                                                       iterations when it ends
//   w[..] (line 9)    snapshot_w[16][2], local memory   line 11 or 12 changes it in
//                                                       each iteration, and nothing
//                                                       bounds their number
//   u_i (line 10)     recomputed                        from values at hand, in the
//                                                       reversed iteration
//   c[..]             reloaded                          nothing stores to it
//   w[..] (line 10)   reloaded                          no later store goes to it
//   w[0]              tape_w, a register                line 11 overwrites it
//
// How adjoints are added up:
//   adj_u[..]   +=, one owner   one thread per element
//   adj_c[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void own_element_adj(double *u, double *adj_u,
                                           const double *c, double *adj_c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double w[2] = {1.0, u[i]};
    double u_i = u[i];
    int trips = 0;
    double snapshot_u_i[16];
    double snapshot_w[16][2];
    int stride = 1;
    while (u_i > 0.2) {
        if (trips % stride == 0) {
            if (trips == 16 * stride) {
                for (int j = 1; j < 8; ++j) {
                    snapshot_u_i[j] = snapshot_u_i[2 * j];
                    for (int q = 0; q < 2; ++q)
                        snapshot_w[j][q] = snapshot_w[2 * j][q];
                }
                stride *= 2;
            }
            snapshot_u_i[trips / stride] = u_i;
            for (int q = 0; q < 2; ++q)
                snapshot_w[trips / stride][q] = w[q];
        }
        u_i = u_i * (0.7 - 0.05 * w[1] * c[i]);
        w[0] = 0.5 * w[1] + w[0] * c[i];
        w[1] = sin(w[0]) * u_i;
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    double adj_w[2] = {};

    // 14:  u[i] = u[i] + w[0] * w[1]
    double g = adj_u[i];
    adj_w[0] += w[1] * g;
    adj_w[1] += w[0] * g;

    // u[i] = u_i
    double adj_u_i = adj_u[i];
    double adj_c_sum = 0.0;
    for (int trip = trips - 1; trip >= 0; --trip) {
        double u_i = snapshot_u_i[trip / stride];
        for (int q = 0; q < 2; ++q)
            w[q] = snapshot_w[trip / stride][q];
        for (int r = trip / stride * stride; r < trip; ++r) {
            u_i = u_i * (0.7 - 0.05 * w[1] * c[i]);
            w[0] = 0.5 * w[1] + w[0] * c[i];
            w[1] = sin(w[0]) * u_i;
        }
        double u_i_2 = u_i * (0.7 - 0.05 * w[1] * c[i]);
        double tape_w = w[0];
        w[0] = 0.5 * w[1] + w[0] * c[i];

        // 12:  w[1] = sin(w[0]) * u[i]
        double g = adj_w[1];
        adj_w[1] = 0.0;
        double sine;
        double cosine;
        sincos(w[0], &sine, &cosine);
        adj_w[0] += u_i_2 * cosine * g;
        adj_u_i += sine * g;

        // 11:  w[0] = 0.5 * w[1] + w[0] * c[i]
        double g_2 = adj_w[0];
        adj_w[0] = 0.0;
        adj_w[1] += 0.5 * g_2;
        adj_w[0] += c[i] * g_2;
        adj_c_sum += tape_w * g_2;

        // 10:  u[i] = u[i] * (0.7 - 0.05 * w[1] * c[i])
        double g_3 = -(u_i * adj_u_i);
        adj_w[1] += 0.05 * c[i] * g_3;
        adj_c_sum += 0.05 * w[1] * g_3;
        adj_u_i *= 0.7 - 0.05 * w[1] * c[i];
    }
    // what the iterations owe, added once
    if (adj_c_sum != 0.0)
        adj_c[i] += adj_c_sum;

    // double u_i = u[i]
    adj_u[i] = adj_u_i;
    // 8:  double w[2] = {1.0, u[i]}
    adj_u[i] += adj_w[1];
}

// kepler_adj: adjoint of kepler (kepler.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform kepler.cu --of E --wrt M,e
//
// Call with M and e as they were before kepler. Seed adj_E with dJ/dE: it is left
// alone, because kepler stores each element of E at most once. dJ/dM is added to adj_M;
// dJ/de is added to adj_e. E is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x                  snapshot_x[16], local memory   line 12 changes it in each
//                                                     iteration, and nothing bounds
//                                                     their number
//   trips of line 13   trips, a register              the loop decides in its
//                                                     iterations when it ends
//   step               recomputed                     from values at hand, in the
//                                                     reversed iteration
//   e[..]              reloaded                       nothing stores to it
//
// How adjoints are added up:
//   adj_M[..]   +=, one owner   one thread per element
//   adj_e[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void kepler_adj(const double *M, double *adj_M,
                                      const double *e, double *adj_e,
                                      double *E, const double *adj_E, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double x = M[i];
    double step;
    int trips = 0;
    double snapshot_x[16];
    int stride = 1;
    do {
        if (trips % stride == 0) {
            if (trips == 16 * stride) {
                for (int j = 1; j < 8; ++j)
                    snapshot_x[j] = snapshot_x[2 * j];
                stride *= 2;
            }
            snapshot_x[trips / stride] = x;
        }
        step = (x - e[i] * sin(x) - M[i]) / (1.0 - e[i] * cos(x));
        x -= step;
        ++trips;
    } while (fabs(step) > 1e-9);

    // ---- reverse sweep ------------------------------------------------------

    // 14:  E[i] = x
    double adj_x = adj_E[i];
    double adj_step = 0.0;
    double adj_e_sum = 0.0;
    double adj_M_sum = 0.0;
    for (int trip = trips - 1; trip >= 0; --trip) {
        double x = snapshot_x[trip / stride];
        for (int r = trip / stride * stride; r < trip; ++r)
            x -= (x - e[i] * sin(x) - M[i]) / (1.0 - e[i] * cos(x));

        // 12:  x -= step
        adj_step -= adj_x;

        // 11:  step = (x - e[i] * sin(x) - M[i]) / (1.0 - e[i] * cos(x))
        double sine;
        double cosine;
        sincos(x, &sine, &cosine);
        double g = adj_step / (1.0 - e[i] * cosine);
        adj_x += g - e[i] * cosine * g;
        adj_e_sum -= sine * g;
        adj_M_sum -= g;
        double g_2 = (x - e[i] * sine - M[i]) / (1.0 - e[i] * cosine) * g;
        adj_e_sum += cosine * g_2;
        adj_x -= e[i] * sine * g_2;
        adj_step = 0.0;
    }
    // what the iterations owe, added once
    if (adj_e_sum != 0.0)
        adj_e[i] += adj_e_sum;
    if (adj_M_sum != 0.0)
        adj_M[i] += adj_M_sum;

    // 8:  double x = M[i]
    adj_M[i] += adj_x;
}

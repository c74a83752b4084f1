// newton_adj: adjoint of newton (newton.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform newton.cu --of E --wrt M,e
//
// Call with M and e as they were before newton. Seed adj_E with dJ/dE: it is left
// alone, because newton stores each element of E at most once. dJ/dM is added to adj_M;
// dJ/de is added to adj_e. E is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x                  tape_x[MAX_STEPS], local memory   line 14 changes it in each
//                                                        iteration
//   trips of line 12   trips, a register                 the loop decides in its
//                                                        iterations when it ends
//   dx                 recomputed                        from values at hand, in the
//                                                        reversed iteration
//   e[..]              reloaded                          nothing stores to it
//
// How adjoints are added up:
//   adj_M[..]   +=, one owner   one thread per element
//   adj_e[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define MAX_STEPS 20

extern "C" __global__ void newton_adj(const double *M, double *adj_M,
                                      const double *e, double *adj_e,
                                      double *E, const double *adj_E, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double x = M[i];
    int trips = 0;
    double tape_x[MAX_STEPS];
    for (int step = 0; step < MAX_STEPS; ++step) {
        tape_x[step] = x;
        ++trips;
        double dx = (x - e[i] * sin(x) - M[i]) / (1.0 - e[i] * cos(x));
        x -= dx;
        if (fabs(dx) < 1e-12)
            break;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 18:  E[i] = x
    double adj_x = adj_E[i];
    double adj_e_sum = 0.0;
    double adj_M_sum = 0.0;
    for (int step = trips - 1; step >= 0; --step) {
        double x = tape_x[step];
        double sine;
        double cosine;
        sincos(x, &sine, &cosine);
        double dx = (x - e[i] * sine - M[i]) / (1.0 - e[i] * cosine);

        // 13:  double dx = (x - e[i] * sin(x) - M[i]) / (1.0 - e[i] * cos(x))
        double g = -adj_x / (1.0 - e[i] * cosine);
        adj_x += g - e[i] * cosine * g;
        adj_e_sum -= sine * g;
        adj_M_sum -= g;
        double g_2 = dx * g;
        adj_e_sum += cosine * g_2;
        adj_x -= e[i] * sine * g_2;
    }
    // what the iterations owe, added once
    if (adj_e_sum != 0.0)
        adj_e[i] += adj_e_sum;
    if (adj_M_sum != 0.0)
        adj_M[i] += adj_M_sum;

    // 11:  double x = M[i]
    adj_M[i] += adj_x;
}

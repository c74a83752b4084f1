// cleared_where_passive_adj: adjoint of cleared_where_passive (cleared_where_passive.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform cleared_where_passive.cu --of y,z --wrt x
//
// Call with x and p as they were before cleared_where_passive. adj_y comes in as dJ/dy
// after cleared_where_passive and goes out as dJ/dy before it, element by element.
// adj_z comes in as dJ/dz after cleared_where_passive and goes out as dJ/dz before it,
// element by element. dJ/dx is added to adj_x. y and z are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]         reloaded               nothing stores to it
//   a             reloaded               still in its variable
//   b (line 12)   tape_b_2, a register   line 14 overwrites it
//   b (line 14)   tape_b_3, a register   line 19 overwrites it
//   b (line 20)   tape_b[3], registers   line 22 changes it in each iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_y[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

extern "C" __global__ void cleared_where_passive_adj(const double *x, double *adj_x,
                                                     const double *p,
                                                     double *y, double *adj_y,
                                                     double *z, double *adj_z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double a = x[i] * x[i];
    if (p[i] > 0.0)
        a = p[i];
    double b = sin(x[i]);
    double tape_b_2 = b;
    b = 2.0 * p[i];
    double tape_b_3 = b;
    b = x[i];
    double tape_b[3];
    for (int k = 0; k < 3; ++k) {
        tape_b[k] = b;
        b = k;
    }

    // ---- reverse sweep ------------------------------------------------------

    double adj_b = 0.0;
    for (int k = 2; k >= 0; --k) {
        double b = tape_b[k];
        // 21:  y[i] += b * b
        adj_b = 2.0 * b * adj_y[i];
    }

    // 19:  b = x[i]
    adj_x[i] += adj_b;
    if (p[i] > 1.0) {
        // 18:  z[i] = 4.0
        adj_z[i] = 0.0;
    }

    // 16:  z[i] = y[i] * b
    adj_y[i] += tape_b_3 * adj_z[i];
    adj_z[i] = 0.0;

    // 15:  y[i] += a * b
    double adj_a = tape_b_3 * adj_y[i];

    // 13:  y[i] = a * b
    double g = adj_y[i];
    adj_a += tape_b_2 * g;
    adj_b = a * g;
    adj_y[i] = 0.0;

    // 12:  double b = sin(x[i])
    adj_x[i] += cos(x[i]) * adj_b;
    if (p[i] > 0.0) {
        // 11:  a = p[i]
        adj_a = 0.0;
    }

    // 9:  double a = x[i] * x[i]
    adj_x[i] += 2.0 * x[i] * adj_a;
}

// kinks_adj: adjoint of kinks (kinks.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform kinks.cu --of y --wrt x,z
//
// Call with x and z as they were before kinks. Seed adj_y with dJ/dy: it is left alone,
// because kinks stores each element of y at most once. dJ/dx is added to adj_x; dJ/dz
// is added to adj_z. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], z[..]   reloaded   nothing stores to it
//   b, c, d        reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_z[..]   +=, one owner   one thread per element
//
// At kinks and singular points:
//   fabs: at 0 its derivative is 0
//   fmax: at a tie the first argument takes the whole adjoint
//   fmin: at a tie the first argument takes the whole adjoint
//   copysign: the argument that gives the sign takes nothing
//   fdim: at a tie neither argument takes anything
//   fmod: at its jumps the derivative is that of the value taken
//   max: at a tie the first argument takes the whole adjoint
//   min: at a tie the first argument takes the whole adjoint
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void kinks_adj(const double *x, double *adj_x,
                                     const double *z, double *adj_z,
                                     double *y, const double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double b = copysign(z[i], x[i]) * fdim(x[i], 0.25);
    double c = floor(3.0 * x[i]) * z[i] + ceil(z[i]) * x[i] + rint(z[i]) * z[i] + trunc(x[i]);
    double d = fmod(x[i], 0.7) + max(x[i], 0.0) - min(z[i] * x[i], 1.0);

    // 12:  y[i] = a + b * c - d + fmax(2.0, d)
    double g = adj_y[i];
    double adj_b = c * g;
    double adj_c = b * g;
    double adj_d = -g;
    if (d > 2.0)
        adj_d += g;

    // 11:  double d = fmod(x[i], 0.7) + max(x[i], 0.0) - min(z[i] * x[i], 1.0)
    adj_x[i] += adj_d;
    if (x[i] >= 0.0)
        adj_x[i] += adj_d;
    if (z[i] * x[i] <= 1.0) {
        adj_z[i] -= x[i] * adj_d;
        adj_x[i] -= z[i] * adj_d;
    }

    // 9:  double b = copysign(z[i], x[i]) * fdim(x[i], 0.25)
    adj_z[i] += fdim(x[i], 0.25) * (copysign(z[i], x[i]) == z[i] ? 1.0 : -1.0) * adj_b;

    // 10:  double c = floor(3.0 * x[i]) * z[i] + ceil(z[i]) * x[i] + rint(z[i]) * z[i] +
    //      trunc(x[i])
    adj_z[i] += (floor(3.0 * x[i]) + rint(z[i])) * adj_c;
    adj_x[i] += ceil(z[i]) * adj_c;
    if (x[i] > 0.25)
        adj_x[i] += copysign(z[i], x[i]) * adj_b;

    // 8:  double a = fabs(x[i]) + fmax(x[i], z[i]) * fmin(z[i], 0.5)
    adj_x[i] += (x[i] > 0.0 ? 1.0 : x[i] < 0.0 ? -1.0 : 0.0) * g;
    double g_2 = fmin(z[i], 0.5) * g;
    if (fmax(x[i], z[i]) == x[i])
        adj_x[i] += g_2;
    else
        adj_z[i] += g_2;
    if (z[i] <= 0.5)
        adj_z[i] += fmax(x[i], z[i]) * g;
}

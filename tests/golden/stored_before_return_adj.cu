// stored_before_return_adj: adjoint of stored_before_return (stored_before_return.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform stored_before_return.cu --of y,z --wrt x
//
// Call with x and z as they were before stored_before_return. Seed adj_y with dJ/dy: it
// is left alone, because stored_before_return stores each element of y at most once.
// adj_z comes in as dJ/dz after stored_before_return and goes out as dJ/dz before it,
// element by element. dJ/dx is added to adj_x. y is neither read nor written. The
// content of z afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   v       reloaded   still in its variable
//   z[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_z[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

extern "C" __global__ void stored_before_return_adj(const double *x, double *adj_x,
                                                    double *y, const double *adj_y,
                                                    double *z, double *adj_z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    z[i] = v * v;
    if (!(v > 0.4))
        z[i] += sin(v);
    double adj_v = 0.0;
    if (!(v > 0.4)) {
        if (v < -0.4) {
            // 14:  y[i] = exp(v)
            adj_v = exp(v) * adj_y[i];
        } else {
            // 17:  y[i] = v * z[i]
            double g = adj_y[i];
            adj_v = z[i] * g;
            adj_z[i] += v * g;
        }

        // 12:  z[i] += sin(v)
        adj_v += cos(v) * adj_z[i];
    }

    // 9:  z[i] = v * v
    adj_v += 2.0 * v * adj_z[i];
    adj_z[i] = 0.0;

    // 8:  double v = x[i]
    adj_x[i] += adj_v;
}

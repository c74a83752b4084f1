// read_then_scaled_adj: adjoint of read_then_scaled (read_then_scaled.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform read_then_scaled.cu --of y,z --wrt x,z
//
// Call with x and z as they were before read_then_scaled. Seed adj_y with dJ/dy: it is
// left alone, because read_then_scaled stores each element of y at most once. adj_z
// comes in as dJ/dz after read_then_scaled and goes out as dJ/dz before it, element by
// element. dJ/dx is added to adj_x. y is neither read nor written. z is only read.
//
// What the reverse sweep needs, and where it finds it:
//   z[..]   reloaded   no later store goes to it
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_z[..]   +=, one owner   one thread per element
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void read_then_scaled_adj(const double *x, double *adj_x,
                                                double *y, const double *adj_y,
                                                double *z, double *adj_z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // 9:  z[i] = z[i] * x[i]
    adj_x[i] += z[i] * adj_z[i];
    adj_z[i] *= x[i];

    // 8:  y[i] = 3.0 * z[i]
    adj_z[i] += 3.0 * adj_y[i];
}

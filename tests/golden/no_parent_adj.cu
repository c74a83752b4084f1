// no_parent_adj: adjoint of no_parent (no_parent.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform no_parent.cu --of y --wrt u,x
//
// Call with u, x and count as they were before no_parent. Seed adj_y with dJ/dy: it is
// left alone, because no_parent stores each element of y at most once. dJ/du is added
// to adj_u; dJ/dx is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], u[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in x[i] and x[(i +
//                           k) % n]
//   adj_u[..]   atomicAdd   not proved that two threads never meet in u[parent]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void no_parent_adj(const double *u, double *adj_u,
                                         const double *x, double *adj_x, const int *count,
                                         double *y, const double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int parent = count[i] > 0 ? i / 2 : -1000;

    // 12:  y[i] = s
    double adj_s = adj_y[i];
    double adj_u_sum = 0.0;
    for (int k = 0; k < count[i]; ++k) {
        // 11:  s += u[parent] * x[(i + k) % n]
        adj_u_sum += x[(i + k) % n] * adj_s;
        atomicAdd(&adj_x[(i + k) % n], u[parent] * adj_s);
    }
    // what the iterations owe, added once
    if (adj_u_sum != 0.0)
        atomicAdd(&adj_u[parent], adj_u_sum);

    // 9:  double s = x[i]
    atomicAdd(&adj_x[i], adj_s);
}

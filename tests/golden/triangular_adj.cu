// triangular_adj: adjoint of triangular (triangular.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform triangular.cu --of x --wrt L,b
//
// Call with L, b and x as they were before triangular. adj_x comes in as dJ/dx after
// triangular and goes out as dJ/dx before it, element by element. dJ/dL is added to
// adj_L; dJ/db is added to adj_b. The content of x afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   sum     recomputed   from values at hand, in the reversed iteration
//   x[..]   reloaded     no later store goes to it
//   L[..]   reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_b[..]   +=, one owner   each thread has elements of its own
//   adj_L[..]   atomicAdd       not proved that two threads never meet in L[base + r *
//                               (r + 1) / 2 + c] and L[base + r * (r + 1) / 2 + r]
//   adj_x[..]   +=, one owner   each thread has elements of its own
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void triangular_adj(const double *L, double *adj_L,
                                          const double *b, double *adj_b,
                                          double *x, double *adj_x, int systems, int m)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;

    // ---- forward sweep ------------------------------------------------------

    int base = s * m * (m + 1) / 2;
    for (int r = 0; r < m; ++r) {
        double sum = b[s * m + r];
        for (int c = 0; c < r; ++c)
            sum -= L[base + r * (r + 1) / 2 + c] * x[s * m + c];
        x[s * m + r] = sum / L[base + r * (r + 1) / 2 + r];
    }

    // ---- reverse sweep ------------------------------------------------------

    for (int r = m - 1; r >= 0; --r) {
        double sum = b[s * m + r];
        for (int c = 0; c < r; ++c)
            sum -= L[base + r * (r + 1) / 2 + c] * x[s * m + c];

        // 14:  x[s * m + r] = sum / L[base + r * (r + 1) / 2 + r]
        double g = adj_x[s * m + r] / L[base + r * (r + 1) / 2 + r];
        atomicAdd(&adj_L[base + r * (r + 1) / 2 + r], -sum / L[base + r * (r + 1) / 2 + r] * g);
        adj_x[s * m + r] = 0.0;
        for (int c = 0; c < r; ++c) {
            // 13:  sum -= L[base + r * (r + 1) / 2 + c] * x[s * m + c]
            atomicAdd(&adj_L[base + r * (r + 1) / 2 + c], -x[s * m + c] * g);
            adj_x[s * m + c] -= L[base + r * (r + 1) / 2 + c] * g;
        }

        // 11:  double sum = b[s * m + r]
        adj_b[s * m + r] += g;
    }
}

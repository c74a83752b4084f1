// cholesky_adj: adjoint of cholesky (cholesky.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform cholesky.cu --of x --wrt A,b --mode split
//
// First launch cholesky_fwd, with the same grid and block: it does what cholesky does.
// Call with A and b as they were before cholesky. Seed adj_x with dJ/dx: it is left
// alone, because cholesky stores each element of x at most once. dJ/dA is added to
// adj_A; dJ/db is added to adj_b. x is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s                recomputed                  from values at hand
//   d, v             recomputed                  from values at hand, in the reversed
//                                                iteration
//   L[..]            reloaded                    no later store goes to it
//   L[j][j]          tape_L[N][N], registers     line 20 overwrites it
//   u[k] (line 27)   tape_u[N][N], registers     line 27 overwrites it
//   u[i] (line 28)   tape_u_2[N], registers      line 28 overwrites it
//   u[k] (line 32)   tape_u_3[N][N], registers   line 32 overwrites it
//   u[i] (line 33)   tape_u_4[N], registers      line 33 overwrites it
//
// How adjoints are added up:
//   adj_A[..]   +=, one owner   each thread has elements of its own
//   adj_b[..]   +=, one owner   each thread has elements of its own
//
// At kinks and singular points:
//   sqrt: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define N 3

extern "C" __global__ void cholesky_fwd(const double *A, const double *b, double *x, int systems)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;
    double L[N][N] = {0.0};
    for (int j = 0; j < N; ++j) {
        double d = A[s * N * N + j * N + j] + 4.0;
        for (int k = 0; k < j; ++k)
            d -= L[j][k] * L[j][k];
        L[j][j] = sqrt(d);
        for (int i = j + 1; i < N; ++i) {
            double v = A[s * N * N + i * N + j];
            for (int k = 0; k < j; ++k)
                v -= L[i][k] * L[j][k];
            L[i][j] = v / L[j][j];
        }
    }
    double u[N];
    for (int i = 0; i < N; ++i) {
        u[i] = b[s * N + i];
        for (int k = 0; k < i; ++k)
            u[i] -= L[i][k] * u[k];
        u[i] /= L[i][i];
    }
    for (int i = N - 1; i >= 0; --i) {
        for (int k = i + 1; k < N; ++k)
            u[i] -= L[k][i] * u[k];
        u[i] /= L[i][i];
        x[s * N + i] = u[i];
    }
}

extern "C" __global__ void cholesky_adj(const double *A, double *adj_A,
                                        const double *b, double *adj_b,
                                        double *x, const double *adj_x, int systems)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;

    // ---- forward sweep ------------------------------------------------------

    double L[N][N] = {0.0};
    double tape_L[N][N];
    for (int j = 0; j < N; ++j) {
        double d = A[s * N * N + j * N + j] + 4.0;
        for (int k = 0; k < j; ++k)
            d -= L[j][k] * L[j][k];
        L[j][j] = sqrt(d);
        for (int i = j + 1; i < N; ++i) {
            double v = A[s * N * N + i * N + j];
            for (int k = 0; k < j; ++k)
                v -= L[i][k] * L[j][k];
            tape_L[j][i - (j + 1)] = L[j][j];
            L[i][j] = v / L[j][j];
        }
    }
    double u[N];
    double tape_u[N][N];
    double tape_u_2[N];
    for (int i = 0; i < N; ++i) {
        u[i] = b[s * N + i];
        for (int k = 0; k < i; ++k) {
            tape_u[i][k] = u[k];
            u[i] -= L[i][k] * u[k];
        }
        tape_u_2[i] = u[i];
        u[i] /= L[i][i];
    }
    double tape_u_3[N][N];
    double tape_u_4[N];
    for (int i = N - 1; i >= 0; --i) {
        for (int k = i + 1; k < N; ++k) {
            tape_u_3[i][k - (i + 1)] = u[k];
            u[i] -= L[k][i] * u[k];
        }
        tape_u_4[i] = u[i];
        u[i] /= L[i][i];
    }

    // ---- reverse sweep ------------------------------------------------------

    double adj_L[N][N] = {};
    double adj_u[N] = {};
    for (int i = 0; i < N; ++i) {
        // 34:  x[s * N + i] = u[i]
        adj_u[i] += adj_x[s * N + i];

        // 33:  u[i] /= L[i][i]
        double g = adj_u[i] / L[i][i];
        adj_L[i][i] -= tape_u_4[i] * g / L[i][i];
        adj_u[i] = g;
        for (int k = N - 1; k >= i + 1; --k) {
            // 32:  u[i] -= L[k][i] * u[k]
            double g = adj_u[i];
            adj_L[k][i] -= tape_u_3[i][k - (i + 1)] * g;
            adj_u[k] -= L[k][i] * g;
        }
    }
    for (int i = N - 1; i >= 0; --i) {
        // 28:  u[i] /= L[i][i]
        double g = adj_u[i] / L[i][i];
        adj_L[i][i] -= tape_u_2[i] * g / L[i][i];
        adj_u[i] = g;
        for (int k = i - 1; k >= 0; --k) {
            // 27:  u[i] -= L[i][k] * u[k]
            double g = adj_u[i];
            adj_L[i][k] -= tape_u[i][k] * g;
            adj_u[k] -= L[i][k] * g;
        }

        // 25:  u[i] = b[s * N + i]
        adj_b[s * N + i] += adj_u[i];
        adj_u[i] = 0.0;
    }
    for (int j = N - 1; j >= 0; --j) {
        double d = A[s * N * N + j * N + j] + 4.0;
        for (int k = 0; k < j; ++k)
            d -= L[j][k] * L[j][k];
        for (int i = N - 1; i >= j + 1; --i) {
            double v = A[s * N * N + i * N + j];
            for (int k = 0; k < j; ++k)
                v -= L[i][k] * L[j][k];

            // 20:  L[i][j] = v / L[j][j]
            double g = adj_L[i][j];
            adj_L[i][j] = 0.0;
            double L_was = tape_L[j][i - (j + 1)];
            double g_2 = g / L_was;
            adj_L[j][j] -= v / L_was * g_2;
            for (int k = 0; k < j; ++k) {
                // 19:  v -= L[i][k] * L[j][k]
                adj_L[i][k] -= L[j][k] * g_2;
                adj_L[j][k] -= L[i][k] * g_2;
            }

            // 17:  double v = A[s * N * N + i * N + j]
            adj_A[s * N * N + i * N + j] += g_2;
        }
        double adj_d = 0.0;

        // 15:  L[j][j] = sqrt(d)
        double g = adj_L[j][j];
        if (g != 0.0)
            adj_d = 0.5 * g * rsqrt(d);
        adj_L[j][j] = 0.0;
        for (int k = 0; k < j; ++k) {
            // 14:  d -= L[j][k] * L[j][k]
            adj_L[j][k] -= 2.0 * L[j][k] * adj_d;
        }

        // 12:  double d = A[s * N * N + j * N + j] + 4.0
        adj_A[s * N * N + j * N + j] += adj_d;
    }
}

// s2sad: --of x --wrt A,b
// A small symmetric system for each thread: factorised and solved in local arrays.
#define N 3

extern "C" __global__ void cholesky(const double *A, const double *b, double *x, int systems)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;
    double L[N][N] = {{0.0}};
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

// s2sad: --of x --wrt a,b,c,d
// Tridiagonal systems, one for each thread, solved with two local arrays.
#define N 6

extern "C" __global__ void thomas(const double *a, const double *b, const double *c, const double *d,
                                  double *x, int systems)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;
    double cp[N], dp[N];
    cp[0] = c[s * N] / b[s * N];
    dp[0] = d[s * N] / b[s * N];
    for (int i = 1; i < N; i++) {
        double m = 1.0 / (b[s * N + i] - a[s * N + i] * cp[i - 1]);
        cp[i] = c[s * N + i] * m;
        dp[i] = (d[s * N + i] - a[s * N + i] * dp[i - 1]) * m;
    }
    double last = dp[N - 1];
    x[s * N + N - 1] = last;
    for (int i = N - 2; i >= 0; i--) {
        last = dp[i] - cp[i] * last;
        x[s * N + i] = last;
    }
}

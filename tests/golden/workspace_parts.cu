// s2sad: --of y --wrt x
// A tridiagonal-like sweep whose two coefficient rows lie in one workspace.
extern "C" __global__ void workspace_parts(const double *x, double *ws, double *y, int systems, int n)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;
    double *a = ws + s;
    double *b = ws + n * systems + s;
    const double *in = x + s;
    a[0] = in[0];
    b[0] = 1.0 + in[0] * in[0];
    for (int k = 1; k < n; ++k) {
        double v = in[k * systems];
        a[k * systems] = v / b[(k - 1) * systems];
        b[k * systems] = 2.0 + v * v - a[k * systems] * a[(k - 1) * systems];
    }
    double *out = y + s;
    for (int k = 0; k < n; ++k)
        out[k * systems] = a[k * systems] * b[k * systems];
}

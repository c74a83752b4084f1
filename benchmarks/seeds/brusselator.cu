// The right-hand side of the Brusselator, two reacting and diffusing substances on a periodic grid. A thread is
// one cell. After the test problem of C. Rackauckas and Q. Nie, "DifferentialEquations.jl" (2017).
// s2sad: --of du --of dv --wrt u,v
extern "C" __global__ void brusselator(const double *__restrict__ u, const double *__restrict__ v,
                                       double *__restrict__ du, double *__restrict__ dv, double t, double a,
                                       double b, double alpha, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    const int east = x < n - 1 ? x + 1 : 0, west = x > 0 ? x - 1 : n - 1;
    const int north = y < n - 1 ? y + 1 : 0, south = y > 0 ? y - 1 : n - 1;
    const int here = y * n + x;
    const double px = (double)x / (n - 1) - 0.3, py = (double)y / (n - 1) - 0.6;
    const double source = px * px + py * py <= 0.01 && t >= 1.1 ? 5.0 : 0.0;
    const double spread = alpha * (n - 1) * (n - 1);
    const double p = u[here], q = v[here];
    du[here] = b + p * p * q - (a + 1.0) * p + source
               + spread * (u[y * n + east] + u[y * n + west] + u[north * n + x] + u[south * n + x] - 4.0 * p);
    dv[here] = a * p - p * p * q
               + spread * (v[y * n + east] + v[y * n + west] + v[north * n + x] + v[south * n + x] - 4.0 * q);
}

// The Lotka-Volterra equations by `steps` steps of the classical Runge-Kutta method. A thread is one pair of
// populations.
__device__ double2 slope(double2 s, double a, double b, double c, double d)
{
    return make_double2(s.x * (a - b * s.y), s.y * (d * s.x - c));
}

// s2sad: --of end --wrt start,rates
extern "C" __global__ void rk4(const double2 *__restrict__ start, const double4 *__restrict__ rates,
                               double2 *__restrict__ end, double dt, int steps, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double a = rates[i].x, b = rates[i].y, c = rates[i].z, d = rates[i].w;
    double2 s = start[i];
    for (int t = 0; t < steps; ++t) {
        const double2 k1 = slope(s, a, b, c, d);
        const double2 k2 = slope(make_double2(s.x + 0.5 * dt * k1.x, s.y + 0.5 * dt * k1.y), a, b, c, d);
        const double2 k3 = slope(make_double2(s.x + 0.5 * dt * k2.x, s.y + 0.5 * dt * k2.y), a, b, c, d);
        const double2 k4 = slope(make_double2(s.x + dt * k3.x, s.y + dt * k3.y), a, b, c, d);
        s.x += dt / 6.0 * (k1.x + 2.0 * k2.x + 2.0 * k3.x + k4.x);
        s.y += dt / 6.0 * (k1.y + 2.0 * k2.y + 2.0 * k3.y + k4.y);
    }
    end[i] = s;
}

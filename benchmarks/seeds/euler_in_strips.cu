// Van der Pol's oscillator by `steps` steps of Euler's method, a state kept every so many. A thread is one oscillator.
// s2sad: --of end --wrt start,damping --tape-budget 4096
extern "C" __global__ void euler_in_strips(const double2 *__restrict__ start, const double *__restrict__ damping,
                                 double2 *__restrict__ end, double dt, int steps, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double mu = damping[i];
    double x = start[i].x, v = start[i].y;
    for (int t = 0; t < steps; ++t) {
        const double a = mu * (1.0 - x * x) * v - x;
        x += dt * v;
        v += dt * a;
    }
    end[i] = make_double2(x, v);
}

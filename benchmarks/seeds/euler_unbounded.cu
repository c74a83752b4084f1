// Van der Pol's oscillator by Euler's explicit method until a time is reached: no integer bounds the number
// of steps. A thread is one oscillator.
// s2sad: --of end --wrt start,damping
extern "C" __global__ void euler_unbounded(const double2 *__restrict__ start, const double *__restrict__ damping,
                                           double2 *__restrict__ end, double until, double dt, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double mu = damping[i];
    double x = start[i].x, v = start[i].y;
    double time = 0.0;
    while (time < until) {
        const double a = mu * (1.0 - x * x) * v - x;
        x += dt * v;
        v += dt * a;
        time += dt;
    }
    end[i] = make_double2(x, v);
}

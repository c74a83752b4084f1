// s2sad: --of theta,omega --wrt theta,omega,damping,length
// A damped pendulum, integrated in place by Runge-Kutta steps.
__device__ double acceleration(double angle, double speed, double damping, double length)
{
    return -damping * speed - 9.81 / length * sin(angle);
}

extern "C" __global__ void rk4(double *theta, double *omega, const double *damping, double length,
                               double h, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double q = theta[i], w = omega[i], c = damping[i];
    for (int s = 0; s < steps; ++s) {
        double q1 = w;
        double w1 = acceleration(q, w, c, length);
        double q2 = w + 0.5 * h * w1;
        double w2 = acceleration(q + 0.5 * h * q1, q2, c, length);
        double q3 = w + 0.5 * h * w2;
        double w3 = acceleration(q + 0.5 * h * q2, q3, c, length);
        double q4 = w + h * w3;
        double w4 = acceleration(q + h * q3, q4, c, length);
        q += h / 6.0 * (q1 + 2.0 * q2 + 2.0 * q3 + q4);
        w += h / 6.0 * (w1 + 2.0 * w2 + 2.0 * w3 + w4);
    }
    theta[i] = q;
    omega[i] = w;
}

// s2sad: --of angle,speed --wrt angle,speed,k,damping
// A few steps in registers: what is recorded of them are partials, since each has a sine or a cosine.
#define STEPS 4

__global__ void taped_partials(double *angle, double *speed, const double *k, double damping, int rounds,
                               int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double q = angle[i];
    double p = speed[i];
    for (int r = 0; r < rounds; ++r) {
        for (int s = 0; s < STEPS; ++s)
            q = q * cos(0.1 * q) - k[s] * q * damping;
        for (int s = 1; s <= STEPS; ++s) {
            double force = sin(p) - k[STEPS - s] * p;
            p -= 0.1 * force;
        }
        p += 0.3 * q;
    }
    angle[i] = q;
    speed[i] = p;
}

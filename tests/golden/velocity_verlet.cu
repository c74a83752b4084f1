// s2sad: --of x,v --wrt x,v,k --mode split
// An oscillator chain's particle with its own force law, stepped in place; the force is a local that is carried.
__device__ double force(double x, double k) { return -k * x - 0.1 * x * x * x; }

extern "C" __global__ void velocity_verlet(double *x, double *v, const double *k, double dt, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double f = force(x[i], k[i]);
    for (int s = 0; s < steps; ++s) {
        v[i] += 0.5 * dt * f;
        x[i] += dt * v[i];
        f = force(x[i], k[i]);
        v[i] += 0.5 * dt * f;
    }
}

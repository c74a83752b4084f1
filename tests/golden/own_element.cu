// s2sad: --of u --wrt u,c
// A loop of unknown length on an element of its own: a variable while it runs.
extern "C" __global__ void own_element(double *u, const double *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double w[2] = {1.0, u[i]};
    while (u[i] > 0.2) {
        u[i] = u[i] * (0.7 - 0.05 * w[1] * c[i]);
        w[0] = 0.5 * w[1] + w[0] * c[i];
        w[1] = sin(w[0]) * u[i];
    }
    u[i] = u[i] + w[0] * w[1];
}

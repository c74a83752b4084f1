// s2sad: --of y,steps --wrt x,c
// Nobody knows how often: snapshots hold the local arrays too, and stretches between them run again.
extern "C" __global__ void carried_arrays(const double *x, const double *c, double *y, double *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], w[3] = {1.0, 0.5, x[i]};
    double u[2][2];
    u[0][0] = u[1][1] = 1.0; u[0][1] = 0.2; u[1][0] = x[i] * c[1];
    double before = w[2] * w[2] + u[1][0];
    int at = i % 3, count = 0;
    while (v > 0.1) {
        v = v * (1.0 - 0.02 * c[at]) - 0.0005 * w[at];
        if (v < w[(at + 1) % 3])
            w[at] = w[at] * (0.97 + 0.01 * v);
        else
            w[at] += 0.01 * v * v * u[at % 2][count % 2];
        at = (at + 1 + count % 2) % 3;
        u[count % 2][at % 2] *= 0.99 * cos(w[at]);
        ++count;
    }
    y[i] = v * w[at] + w[0] * u[0][0] + u[1][1] * before;
    steps[i] = count * x[i];
}

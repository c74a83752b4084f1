// s2sad: --of E --wrt M,e
// Kepler's equation by a do loop that stops when the step is small.
extern "C" __global__ void kepler(const double *M, const double *e, double *E, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = M[i];
    double step;
    do {
        step = (x - e[i] * sin(x) - M[i]) / (1.0 - e[i] * cos(x));
        x -= step;
    } while (fabs(step) > 1e-9);
    E[i] = x;
}

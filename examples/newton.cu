// Kepler's equation E - e sin E = M, solved for E by Newton's method until it converges.
// s2sad: --of E --wrt M,e
#define MAX_STEPS 20

extern "C" __global__ void newton(const double *M, const double *e, double *E, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    double x = M[i];
    for (int step = 0; step < MAX_STEPS; ++step) {
        double dx = (x - e[i] * sin(x) - M[i]) / (1.0 - e[i] * cos(x));
        x -= dx;
        if (fabs(dx) < 1e-12)
            break;
    }
    E[i] = x;
}

// s2sad: --of y --wrt x,k
// A stress-strain law by pieces: a chain of `else if`, each of which assigns something else.
extern "C" __global__ void else_if_chain(const double *x, double k, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double e = x[i];
    double stress = 0.0, damage = 1.0;
    if (e < -1.0) {
        stress = -k;
        damage = 0.5;
    } else if (e < 0.0) {
        stress = k * e;
    } else if (e < 0.5) {
        stress = 0.5 * k * e * e;
        damage = 1.0 - e;
    } else {
        damage = exp(-e);
        stress = k * damage;
    }
    y[i] = stress * damage;
}

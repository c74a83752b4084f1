// s2sad: --of y --wrt x,w --tape-budget 800
// Little memory for long loops: strips of strips, down and up, by threes.
__global__ void strips_of_strips(const double *x, const double *w, double *y, int from, int to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i], b = x[i] * x[i];
    for (int k = from; k >= 2; k -= 3) {
        double turn = a * w[k % 4];
        a = b + 0.1 * sin(a);
        b = a - 0.3 * turn * b;
    }
    for (int m = 1; m <= to; ++m) {
        a = a * (1.0 - 0.01 * b) + 0.001 * m * w[m % 4];
        b = b * cos(a);
    }
    y[i] = a * b;
}

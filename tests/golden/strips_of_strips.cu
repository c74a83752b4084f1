// s2sad: --of y --wrt x,w --tape-budget 4000
// Little memory for long loops: strips of strips, down and up, by threes, with a state in an array.
#define STATES 3
__global__ void strips_of_strips(const double *x, const double *w, double *y, int from, int to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double s[STATES];
    for (int q = 0; q < STATES; ++q)
        s[q] = i < n ? x[i] * (q + 1) : 0.0;
    for (int k = from; k >= 2; k -= 3) {
        double turn = s[0] * w[k % 4];
        s[0] = s[1] + 0.1 * sin(s[2]);
        s[1] = s[2] - 0.1 * turn;
        s[2] = 0.5 * turn;
    }
    double a = s[0] + s[1] * s[2];
    for (int k = 1; k <= to; ++k)
        a = a * (1.0 - 0.01 * a) + 0.001 * k * w[k % 4];
    if (i < n)
        y[i] = a;
}

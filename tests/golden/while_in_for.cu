// s2sad: --of y --wrt x
// A data-dependent loop inside a counted one: a trip count for each time round.
extern "C" __global__ void while_in_for(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = 0.0;
    for (int k = 0; k < m; ++k) {
        double v = x[i * m + k];
        while (v > 0.5 || v < -0.5)
            v = v * v * 0.3 - 0.1;
        s = s * v + cos(s);
    }
    y[i] = s;
}

// s2sad: --of y --wrt x
// Counters that go up and down by 1, 2 and 3, to `<`, `<=`, `>`, `!=`, from any start.
extern "C" __global__ void loop_steps(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = x[i];
    for (int k = 1; k <= m; k += 2)
        s = s + 0.1 * k * s * s;
    for (int k = m; k > 0; k -= 3)
        s = s * cos(0.1 * k * s);
    for (int k = 0; k != m; k++)
        s = s + 0.01 * k * s * s;
    for (int k = m - 1; k >= 2; k = k - 2)
        s = s - 0.05 * k * s * s;
    for (int k = i % 3; k < m; k += 3)
        s = sin(s) + 0.1 * k;
    y[i] = s;
}

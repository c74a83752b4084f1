// s2sad: --of y --wrt x,y
// Threads leave at five places, some from inside a loop; y keeps its seed where it isn't written.
extern "C" __global__ void early_returns(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    if (v > 1.5)
        return;
    if (v < -1.0) {
        y[i] = v * v * y[i];
        return;
    }
    for (int k = 0; k < 5; ++k) {
        v = v + 0.3 * v * v;
        if (v > 2.0)
            return;
        if (v < -0.2) {
            y[i] = sin(v);
            return;
        }
    }
    y[i] = exp(-v);
}

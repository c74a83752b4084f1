// s2sad: --of y --wrt x
// What one iteration's adjoint needs is overwritten at the start of the next one: only a
// second look at the loop tells.
extern "C" __global__ void needed_by_the_next_trip(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double u = x[i], v = 1.0, w = 0.5;
    for (int k = 0; k < 6; ++k) {
        w = w + u;
        y[i] += v * sin(w);
        v = u * w;
        u = cos(v) * 0.5;
    }
    y[i] += u;
}

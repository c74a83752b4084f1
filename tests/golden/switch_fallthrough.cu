// s2sad: --of y --wrt x
// Control falls through, the default stands in the middle, and the selector changes inside.
extern "C" __global__ void switch_fallthrough(const double *x, const int *start, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    int stage = start[i];
    switch (stage) {
    case 3:
        v = v * v;
        stage = 0;
    case 2:
        v = sin(v);
        break;
    default:
        v = 2.0 * v * v;
    case 1:
        v = v + 0.5 * v * v;
        if (v > 2.0)
            break;
    case 0:
        v = exp(-v);
    }
    y[i] = v * (stage + 1);
}

// s2sad: --of y --wrt x
// The other branch of `v < limit` is `!(v < limit)`: the two differ where v isn't a number.
extern "C" __global__ void not_less(const double *x, const double *limit, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i] * x[i];
    double bound = i % 4 == 0 ? nan("") : limit[i];
    for (int k = 0; k < 4; ++k) {
        if (v < bound)
            continue;
        v = v * 0.5;
        if (!(v >= bound))
            break;
        v = sin(v);
    }
    y[i] = v;
}

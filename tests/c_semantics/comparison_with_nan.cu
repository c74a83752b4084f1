// [expr.rel]: a comparison with NaN is false, so !(v < 0) isn't v >= 0.
extern "C" __global__ void comparison_with_nan(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float v = m[i] & 1 ? NAN : x[i + 1];
    if (!(v < 0.0f))
        s = sinf(s) * x[1];
    if (v >= 0.0f)
        s *= x[2];
    else
        s *= x[3] + s;
    if (v != v)
        s *= x[4];
    s = v == v ? s * s : s * x[5];
    int k = 0;
    while (!(v < 0.5f) && k < 3) {
        s = s * x[k] + 0.5f * s * s;
        v *= 0.5f;
        ++k;
    }
    y[i] = s;
}

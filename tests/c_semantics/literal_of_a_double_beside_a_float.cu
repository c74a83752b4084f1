// [lex.fcon], [expr.arith.conv]: 0.1 is a double, so the float is made one before the product.
extern "C" __global__ void literal_of_a_double_beside_a_float(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    s = s * 0.1 + x[1];
    s *= 1.5;
    s = sinf(s) + sin(s * 2.0) + s / 3.0;
    for (int k = 0; k < 3; ++k)
        s += 0.25 * s * x[k];
    y[i] = s * 2;
}

// [lex.fcon]: with and without exponent, hexadecimal, float and double.
extern "C" __global__ void literal_of_a_float(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    s = 1e-1f * s + .5f * s * s + 0x1p-2f * x[1];
    double d = 1.0 / 3.0;
    s = sinf(s) * (1. + 2e0f) * d;
    s += 0x1.8p1 * s * 5.e-1F;
    y[i] = s * 1'0.5f;
}

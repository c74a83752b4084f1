// s2sad: --of y --wrt x,z
// Functions that answer through pointers to locals.
extern "C" __global__ void math_outputs(const float *x, const float *z, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s, c, whole;
    int exponent, quotient;
    sincosf(x[i] * z[i], &s, &c);
    float part = modff(3.0f * x[i], &whole);
    float mantissa = frexpf(z[i], &exponent);
    float rest = remquof(x[i], z[i], &quotient);
    y[i] = s * c + part * whole + mantissa * exponent + rest * (quotient % 2 ? 1.0f : 2.0f);
    sincospif(s, &c, &whole);
    y[i] += c * whole;
}

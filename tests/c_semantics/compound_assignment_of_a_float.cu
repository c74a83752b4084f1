// [expr.ass]: f *= 0.1 is a product of doubles, stored as a float; f -= f stores a zero.
extern "C" __global__ void compound_assignment_of_a_float(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float f = x[1];
    f *= 0.1;
    f += m[i];
    s = sinf(s) * f;
    f -= f * s;
    f /= 1 + m[i];
    s += f * f;
    f += f *= 2.0f;
    y[i] = s + f * s;
}

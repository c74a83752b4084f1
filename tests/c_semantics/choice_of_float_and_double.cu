// [expr.cond]: a float and a double make a double, an int and a float a float.
extern "C" __global__ void choice_of_float_and_double(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    double d = m[i] > 3 ? s * 0.5f : 0.25 * x[1];
    s = sinf(s) * d;
    s *= m[i] & 1 ? 2 : x[2];
    s += m[i] & 2 ? 0 : s * x[3];
    float q = 7 / (m[i] >= 0 ? 2 : 0.5f);
    y[i] = s * q + d;
}

// [expr.ass], [conv.bool]: b += 2 is true, b |= 4 is true, b ^= 1 flips it.
extern "C" __global__ void conversion_to_bool_by_a_compound(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    bool b = m[i] & 1;
    b += 2;
    s *= x[b];
    b ^= 1;
    s = sinf(s) * x[b] + s;
    b |= m[i] & 4;
    s *= x[b + 1];
    b &= 3;
    s *= x[b + 2] + s;
    b -= 1;
    s *= x[b + 3];
    y[i] = s;
}

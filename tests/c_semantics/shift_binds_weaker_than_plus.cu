// [expr.shift]: 1 << 2 + 1 is eight; a comparison binds weaker still, & weaker than ==.
extern "C" __global__ void shift_binds_weaker_than_plus(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    s = sinf(s) * x[1 << 2 + 1];
    if (1 << m[i] > 4)
        s *= x[3];
    if (m[i] & 1 == 1)
        s *= x[4];
    s *= x[m[i] | 1 ^ 3 & 2];
    y[i] = s;
}

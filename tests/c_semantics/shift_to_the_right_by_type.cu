// [expr.shift]: a negative number stays negative; an unsigned one gets zeros.
extern "C" __global__ void shift_to_the_right_by_type(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int a = -8 * (m[i] + 1);
    unsigned b = a;
    short c = a;
    s = sinf(s) * x[-(a >> 2) & 15];
    s *= x[b >> 28];
    s *= x[(c >> 3) + 8];
    a >>= 1;
    s *= x[-a & 15];
    b >>= 30;
    s *= x[b] + s;
    y[i] = s;
}

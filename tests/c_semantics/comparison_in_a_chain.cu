// [expr.rel]: a < b < c compares a bool with c.
extern "C" __global__ void comparison_in_a_chain(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int a = m[i];
    if (5 < a < 2)
        s = sinf(s) * x[a];
    if (3 > a > 1)
        s = 0.0f;
    int equal = a == 2 == 0;
    s *= x[equal] + equal;
    y[i] = s;
}

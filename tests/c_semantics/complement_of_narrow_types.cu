// [expr.unary.op]: ~ of a bool is an int and never zero; ~ of an unsigned is unsigned.
extern "C" __global__ void complement_of_narrow_types(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    bool b = m[i] & 1;
    if (~(int)b)
        s = sinf(s) * x[1];
    unsigned u = m[i];
    s *= x[~u >> 28] * x[~~u];
    unsigned short h = ~u;
    s *= x[h >> 12] * x[(unsigned char)~h];
    y[i] = s * x[-~m[i]];
}

// [expr.mul], [conv.prom]: a short by an unsigned short is a quotient of ints.
extern "C" __global__ void quotient_of_narrow_types(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    short a = -9;
    unsigned short b = 2;
    unsigned char c = m[i] + 1;
    s = sinf(s) * x[-(a / b)];
    s *= x[-(a % c)];
    s *= 7 / c + 7 / (float)c;
    y[i] = s;
}

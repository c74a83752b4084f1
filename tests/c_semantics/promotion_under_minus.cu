// [expr.unary.op]: minus an unsigned short is a negative int, minus an unsigned int is a large number.
extern "C" __global__ void promotion_under_minus(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned short a = m[i] + 1;
    unsigned b = m[i] + 1;
    if (-a < 0)
        s *= x[a];
    if (-b > 5u)
        s = sinf(s) * x[-b & 15];
    for (int k = -a; k < 0; ++k)
        s = s * x[-k] + s * s * 0.25f;
    y[i] = s;
}

// [expr.unary.op]: the operand of ~ is promoted, so ~ of an unsigned char is negative.
extern "C" __global__ void promotion_under_complement(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned char a = m[i];
    int whole = ~a;
    unsigned char part = ~a;
    s = whole < 0 ? s * x[-whole] : x[0];
    if (part > 200)
        s = sinf(s) * x[part & 15];
    if (~a == part)
        s = 0.0f;
    y[i] = s;
}

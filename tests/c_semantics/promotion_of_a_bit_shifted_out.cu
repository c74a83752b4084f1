// [conv.prom], [expr.shift]: a shift has the promoted type of its left operand.
extern "C" __global__ void promotion_of_a_bit_shifted_out(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned char a = 200 + m[i];
    int whole = a << 1;
    unsigned char part = a << 1;
    s = sinf(s) * x[whole > 255 ? 3 : 4];
    s *= x[part & 15] + s;
    y[i] = s * x[(a << 4) >> 8];
}

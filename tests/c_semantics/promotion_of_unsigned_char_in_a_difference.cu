// [conv.prom]: an unsigned char becomes an int, so a difference of two may be negative.
extern "C" __global__ void promotion_of_unsigned_char_in_a_difference(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned char a = m[i];
    unsigned char b = 9;
    for (int k = a - b; k < 0; ++k)
        s = sinf(s) + x[-k] * s;
    if (a - b < 0)
        s *= x[2];
    y[i] = s;
}

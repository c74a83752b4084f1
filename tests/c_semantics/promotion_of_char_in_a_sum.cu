// [conv.prom]: two chars are added as ints, so 100 + 100 doesn't wrap; what is stored into a char does.
extern "C" __global__ void promotion_of_char_in_a_sum(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    signed char a = 100 + m[i];
    signed char b = 100;
    int wide = a + b;
    signed char narrow = a + b;
    if (wide > 127)
        s = sinf(s) * x[wide & 15];
    if (narrow < 0)
        s *= x[narrow & 7] + s;
    y[i] = s;
}

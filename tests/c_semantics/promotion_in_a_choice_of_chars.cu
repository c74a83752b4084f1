// [expr.cond], [conv.prom]: two chars in ?: stay a char; a char and a short become an int.
extern "C" __global__ void promotion_in_a_choice_of_chars(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned char a = 200;
    unsigned char b = m[i];
    s = sinf(s) * x[sizeof(b ? a : b)] * x[sizeof(b ? a : (signed char)1)];
    unsigned char c = (b & 1 ? a : b) + 100;
    s *= x[c & 15];
    y[i] = s * x[((b ? a : a) + 100) >> 6];
}

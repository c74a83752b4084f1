// [expr.shift]: the type of the result is that of the left operand, whatever the right one's.
extern "C" __global__ void shift_keeps_the_left_type(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int by = m[i] % 4;
    unsigned char narrow = 2;
    s = sinf(s) * x[1 << (long long)by];
    s *= x[1u << narrow];
    s *= x[sizeof(1 << 3ll)] + x[sizeof(narrow << 1) + sizeof(1ll << by)];
    if ((-1 << (unsigned)by) < 0)
        s *= x[5];
    y[i] = s;
}

// [expr.ass], [expr.shift]: c <<= 3 shifts an int, and stores what a char holds of it.
extern "C" __global__ void shift_assigned_to_a_narrow_type(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned char c = 100 + m[i];
    c <<= 3;
    s = sinf(s) * x[c >> 4];
    c >>= 2;
    s *= x[c & 15];
    short h = 30000;
    h <<= 2;
    s *= x[h < 0 ? 1 : 2];
    y[i] = s;
}

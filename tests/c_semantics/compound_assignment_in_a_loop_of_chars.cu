// [expr.ass], [conv.integral]: the value of each iteration is the one that was stored.
extern "C" __global__ void compound_assignment_in_a_loop_of_chars(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned char c = 7 * m[i];
    for (int k = 0; k < 5; ++k) {
        c += 90 + k;
        s = sinf(s) * x[c >> 4] + s;
        c ^= 0x1f0;
    }
    short h = 20000;
    for (int k = 0; k < 3; ++k) {
        h += 20000;
        s = h < 0 ? s * x[k] : s * s;
    }
    y[i] = s;
}

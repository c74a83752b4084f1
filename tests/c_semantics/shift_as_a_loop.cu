// [expr.shift], [conv.integral]: counters that are doubled and halved.
extern "C" __global__ void shift_as_a_loop(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (unsigned b = 1; b < 64; b <<= 1)
        s = sinf(s) * x[b & m[i] ? 1 : 2] + s;
    for (int b = 32; b; b >>= 1)
        s = s * x[b & 15] + 0.1f * s * s;
    for (unsigned char b = 1 << (m[i] & 3); b; b <<= 1)
        s = s * x[b & 15] + 0.1f * s * s;
    y[i] = s;
}

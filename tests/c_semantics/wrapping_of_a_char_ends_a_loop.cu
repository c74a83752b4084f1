// [conv.integral]: an unsigned char that is incremented beyond 255 is zero.
extern "C" __global__ void wrapping_of_a_char_ends_a_loop(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (unsigned char c = 250 - m[i]; c > 9; ++c)
        s = sinf(s) * x[c & 15] + s;
    for (unsigned char c = 5; c < 6; --c)
        s = s * x[c] + 0.5f * s * s;
    y[i] = s;
}

// s2sad: --of y --wrt x
// Flags kept as the bits of a float: a number that is made of integers alone has no derivative.
__device__ float packed(bool behind, bool clamped)
{
    unsigned bits = 0u;
    if (behind)
        bits |= 1u;
    if (clamped)
        bits |= 2u;
    return __uint_as_float(bits);
}

__global__ void clamp(const float *x, float *flags, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    bool behind = v < 0.0f;
    flags[i] = packed(behind, v * v > 1.0f);
    float one = __int_as_float(0x3f800000);
    y[i] = behind ? v * one : v * v * __int_as_float(0x3f000000 + (i << 16));
}

// s2sad: --of y --wrt x
// Flags that were kept as the bits of a float decide again; the number that holds them has no derivative.
__device__ void unpacked(float packed, bool &behind, bool &clamped)
{
    unsigned bits = __float_as_uint(packed);
    behind = (bits & 1u) != 0u;
    clamped = (bits & 2u) != 0u;
}

__global__ void flags_read_back(const float *x, const float *flags, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bool behind, clamped;
    unpacked(flags[i], behind, clamped);
    y[i] = behind ? -x[i] : clamped ? 1.0f : x[i] * x[i];
}

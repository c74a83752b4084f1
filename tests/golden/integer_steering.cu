// s2sad: --of y --wrt x,w
// Integers of all kinds choose what happens and where: bytes, 64-bit offsets, flags, bits.
extern "C" __global__ void integer_steering(const float *x, const float *w, const unsigned char *flags,
                                            const long long *offset, const short *power, float *y,
                                            unsigned int mask, int n)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bool odd = flags[i] & 1;
    unsigned int hash = ((unsigned int)i * 2654435761u) >> 16 ^ mask;
    float v = x[offset[i]];
    if (odd)
        v *= w[hash % 7u];
    if ((flags[i] >> 1) & 1)
        v = v * v - w[(hash + 1u) % 7u];
    for (int p = 0; p < power[i]; ++p)
        v *= x[i];
    y[i] = !odd ? v : -v;
}

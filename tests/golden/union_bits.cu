// s2sad: --of y --wrt x
// A number and its bits in a union: powers of two are put together from their exponents.
union Word {
    float number;
    unsigned bits;
};

__device__ float scaled(Word word, int power)
{
    Word factor;
    factor.bits = (unsigned)(127 + power) << 23;
    return word.number * factor.number;
}

extern "C" __global__ void union_bits(const float *x, const int *power, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Word word;
    word.number = sinf(x[i]);
    y[i] = word.number * scaled(word, power[i]);
    word.bits = 0x40490fdb;
    y[i] += word.number * x[i];
}

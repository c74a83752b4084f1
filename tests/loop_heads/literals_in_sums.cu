// Starts and ends are literals in sums, which C++ computes in the types that they have.
__global__ void literals_in_sums(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float p = x[i];
    for (size_t j = 6 - 1; j != (size_t)-1; --j)
        p = p * x[j] + 0.5f;
    for (unsigned j = 3u - 7u; j != 0; ++j)
        p = sinf(p) + 0.1f * x[j + 4];
    for (unsigned j = -3; j < -1u; ++j)
        p = p * x[j + 3];
    for (size_t j = -1u - 2u; j < -1u; ++j)
        p = p * (0.5f + x[j + 3u & 3]);
    for (unsigned char j = 250 + 3; j != 2 * 2 - 1; ++j)
        p = cosf(p) * x[j & 3];
    for (unsigned short j = ~0u; j != 65530 + 0; --j)
        p = p + p * x[j & 3];
    for (signed char j = 100 + 20; j != -130 + 3; ++j)
        p = sinf(p) * x[j & 7];
    y[i] = p;
}

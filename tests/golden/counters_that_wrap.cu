// s2sad: --of y --wrt x
// Unsigned counters pass zero and end at the largest value: their trips are counted, not guessed.
__global__ void counters_that_wrap(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *c = x + 4 * i;
    float p = 0.5f;
    for (unsigned j = 3; j != -1u; --j)
        p = p * p * c[j] + c[0];
    float q = p;
    for (unsigned char j = 250; j != 3; ++j)
        q = 0.5f * q + 0.01f * j * c[j & 3] * sinf(q);
    y[i] = q;
}

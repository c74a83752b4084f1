// A start that is negative in a signed char, compared as unsigned: no trip, none, three, two.
#define K 6
extern "C" __global__ void cast_compared_unsigned(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (int a = 0; a < 4; ++a) {
        for (int j = (signed char)(254 + a); j < 3u; ++j)
            s = s * 0.9f + 0.1f * s * s * x[i * K + (j & 3)];
    }
    y[i] = s;
}

// A cast in the head that makes a position negative: 0, 8, 7, 6 trips.
#define K 6
extern "C" __global__ void cast_that_wraps_in_a_head(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (int a = 0; a < 4; ++a) {
        for (int j = (signed char)(a + 127); j < -120; ++j)
            s = s * 0.9f + 0.1f * s * s * x[i * K + (j & 3)];
    }
    y[i] = s;
}

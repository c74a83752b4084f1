// A sum that a signed char can't hold starts the inner loop: 0, then 8, then 7 trips.
#define K 6
extern "C" __global__ void sum_that_wraps_in_a_char(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (int a = 0; a < 3; ++a) {
        signed char b = a + 127;
        for (int j = b; j < -120; ++j)
            s = s * 0.9f + 0.1f * s * s * x[i * K + (j & 3)];
    }
    y[i] = s;
}

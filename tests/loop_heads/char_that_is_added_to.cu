// A signed char that each iteration adds to, until it wraps: 0, 0, then 12 trips of the inner loop.
#define K 6
extern "C" __global__ void char_that_is_added_to(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (int a = 0; a < 3; ++a) {
        signed char c = a + 20;
        c += 40 * (a + 1);
        for (int j = c; j < -102; ++j)
            s = s * 0.9f + 0.1f * s * s * x[i * K + (j & 3)];
    }
    y[i] = s;
}

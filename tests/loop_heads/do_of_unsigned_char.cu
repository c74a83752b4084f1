// A do loop whose unsigned char wraps around.
#define K 6
extern "C" __global__ void do_of_unsigned_char(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    unsigned char j = 252;
    do { s = s * 0.9f + 0.1f * s * s * x[i * K + (j & 3)] * (0.01f * j); ++j; } while (j != 2);
    y[i] = s;
}

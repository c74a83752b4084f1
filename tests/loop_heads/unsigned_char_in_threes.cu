// An unsigned char goes down in threes until it is zero.
#define K 6
extern "C" __global__ void unsigned_char_in_threes(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    int c = 0;
    for (unsigned char j = 7; j > 0; j -= 3) { s = s * 0.9f + 0.01f * s * s * x[i * K + (j & 3)]; ++c; }
    y[i] = s * c;
}

// An unsigned char counts past 255.
#define K 6
extern "C" __global__ void unsigned_char_wraps(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (unsigned char j = 250; j != 3; ++j) s = s * 0.5f + s * s * x[i * K + j % 6];
    y[i] = s;
}

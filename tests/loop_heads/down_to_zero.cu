// Unsigned counters that go down to zero.
#define K 6
extern "C" __global__ void down_to_zero(const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (unsigned j = m; j != 0; --j) s = s * 0.9f + 0.1f * s * s * x[i * K + j];
    for (unsigned j = m; j; --j) s = s * 0.9f + 0.1f * s * s * x[i * K + j];
    y[i] = s;
}

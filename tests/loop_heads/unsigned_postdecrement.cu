// The condition counts down.
#define K 6
extern "C" __global__ void unsigned_postdecrement(const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (unsigned j = m; j-- > 0;) s = s * 0.9f + 0.1f * s * s * x[i * K + j];
    y[i] = s;
}

// An unsigned counter goes down while it is below the number of elements.
#define K 6
extern "C" __global__ void unsigned_while_below(const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (unsigned j = m - 1; j < m; --j) s = s * 0.9f + 0.1f * s * s * x[i * K + j];
    y[i] = s;
}

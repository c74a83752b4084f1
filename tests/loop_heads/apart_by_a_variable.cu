// Start and end of an unsigned counter are variables.
#define K 6
extern "C" __global__ void apart_by_a_variable(const float *x, float *y, const int *idx, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    unsigned from = idx[i * K] + 2, to = from - 4;
    for (unsigned j = from; j != to; --j) s = s * 0.9f + 0.1f * s * s * x[i * K + (j & 3)];
    y[i] = s;
}

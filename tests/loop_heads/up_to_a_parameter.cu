// An unsigned counter goes up from zero to a parameter.
#define K 6
extern "C" __global__ void up_to_a_parameter(const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (unsigned j = 0; j != m; ++j) s = s * 0.9f + 0.1f * s * s * x[i * K + j];
    y[i] = s;
}

extern "C" __global__ void name_float4(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float float4 = 0.5f * x[i];
    float4 += x[i + 1];
    y[i] = float4 * float4;
}

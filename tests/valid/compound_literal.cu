extern "C" __global__ void compound_literal(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 p = (float2){x[i], x[i + 1]};
    y[i] = p.x * p.y;
}

extern "C" __global__ void digraphs(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v<:2:> = <%x[i], 2.0f%>;
    y[i] = v<:0:> * v[1] * x[i];
}

extern "C" __global__ void name_dim3(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int dim3 = 2;
    dim3++;
    y[i] = x[i] * x[i + dim3];
}

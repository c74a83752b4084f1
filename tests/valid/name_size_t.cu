extern "C" __global__ void name_size_t(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long size_t = 2;
    y[i] = x[i] * x[i + size_t];
}

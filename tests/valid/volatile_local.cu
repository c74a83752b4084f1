extern "C" __global__ void volatile_local(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    volatile float s = x[i];
    s = s * s;
    y[i] = s;
}

extern "C" __global__ void name_half(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float half = 0.5f * x[i];
    y[i] = half * half;
}

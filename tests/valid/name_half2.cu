extern "C" __global__ void name_half2(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float half2 = 0.5f * x[i], half = x[i];
    half2 *= half;
    y[i] = half2 * half2;
}

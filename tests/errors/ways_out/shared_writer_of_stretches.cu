// meets: shared-writer
// s2sad: --of y --wrt x
extern "C" __global__ void rows(const float *x, float *y, const int *ptr, int n)
{
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w < n)
        for (int k = ptr[w]; k < ptr[w + 1]; ++k)
            y[k] = x[k] * x[w];
}

// meets: shared-writer
// s2sad: --of y --wrt x
extern "C" __global__ void rows(const float *x, float *y, const int *ptr, int n)
{
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (w >= n)
        return;
    for (int k = ptr[w] + threadIdx.x % 32; k < ptr[w + 1]; k += 32)
        y[k] = x[k] * x[w];
}

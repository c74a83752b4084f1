// s2sad: --of y --wrt x
// Means over windows whose widths come from a ratio: how much of the shared memory a block
// uses only the launch says, and the adjoint asks for it.
extern "C" __global__ void launched_extent(const float *x, float *y, int n, int m)
{
    extern __shared__ float piece[];
    float ratio = (float)n / m;
    int begin = floorf(blockIdx.x * blockDim.x * ratio);
    int end = ceilf((blockIdx.x + 1) * blockDim.x * ratio);
    for (int k = threadIdx.x; k < end - begin; k += blockDim.x)
        piece[k] = begin + k < n ? x[begin + k] * x[begin + k] : 0.0f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    int first = floorf(i * ratio);
    int last = ceilf((i + 1) * ratio);
    float sum = 0.0f;
    for (int k = first; k < last; ++k)
        sum += piece[k - begin] * piece[first - begin];
    y[i] = sum / (last - first);
}

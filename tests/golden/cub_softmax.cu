// Softmax of rows by cub: the largest value and the sum, for the first thread, shared by it.
// s2sad: --of y --wrt x
#include <cub/cub.cuh>

#define THREADS 64

__global__ void cub_softmax(const float *x, float *y, int n)
{
    using BlockReduce = cub::BlockReduce<float, THREADS>;
    __shared__ typename BlockReduce::TempStorage memory;
    __shared__ float found;
    const float *row = x + blockIdx.x * n;
    float top = -1e30f;
    for (int i = threadIdx.x; i < n; i += THREADS)
        top = fmaxf(top, row[i]);
    top = BlockReduce(memory).Reduce(top, cub::Max());
    if (threadIdx.x == 0)
        found = top;
    __syncthreads();
    top = found;
    __syncthreads();
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += THREADS)
        sum += expf(row[i] - top);
    const float total = BlockReduce(memory).Sum(sum);
    if (threadIdx.x == 0)
        found = total;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += THREADS)
        y[blockIdx.x * n + i] = expf(row[i] - top) / found;
}

// s2sad: --of y --wrt x
// An element that two threads store, one behind the barrier.
__global__ void twice(const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
    __syncthreads();
    if (i + 1 < n && threadIdx.x + 1 < blockDim.x)
        y[i + 1] = x[i] * 3.0f;
}

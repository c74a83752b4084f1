// Integers that all threads of a block put together atomically, in any order.

__global__ void paying_rows(const float *x, float *y, int *longest, int n)
{
    __shared__ int some;
    __shared__ unsigned most;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        some = 0;
        most = 0u;
    }
    __syncthreads();
    float v = i < n ? x[i] : 0.0f;
    atomicOr(&some, v > 1.0f);
    atomicMax(&most, v > 0.0f ? threadIdx.x : 0u);
    __syncthreads();
    if (i < n) {
        y[i] = some ? v * v * most : 2.0f * v;
        atomicMin(&longest[0], i);
    }
}

// s2sad: --of y --wrt x
extern "C" __global__ void column(const float *x, float *s, float *y)
{
    int b = blockIdx.y * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0)
        s[blockIdx.x] = 0.0f;
//      ^^^^^^^^^^^^^ cross-block-flow: other blocks may or may not have added to it yet
    __syncthreads();
    atomicAdd(&s[blockIdx.x], x[threadIdx.x]);
    __syncthreads();
    y[b * blockDim.x + threadIdx.x] = s[blockIdx.x];
}

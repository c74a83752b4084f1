// s2sad: --of y --wrt x
extern "C" __global__ void two(const float *x, float *s, float *y)
{
    if (threadIdx.x == 0)
        s[blockIdx.x / 2] = 0.0f;
//      ^^^^^^^^^^^^^^^^^ cross-block-flow: other blocks may or may not have added to it yet
    __syncthreads();
    atomicAdd(&s[blockIdx.x / 2], x[threadIdx.x]);
    __syncthreads();
    y[blockIdx.x * blockDim.x + threadIdx.x] = s[blockIdx.x / 2];
}

// s2sad: --of energy --wrt q,scale --assume launch:1d
// A warp adds up what its lanes found; one lane of it adds that to the block's sum, one thread that to all.
#define ALL 0xffffffffu
extern "C" __global__ void warp_aggregated(const float *__restrict__ q, const float *__restrict__ scale,
                                           float *__restrict__ energy, int n)
{
    __shared__ float sum;
    if (threadIdx.x == 0)
        sum = 0.0f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float e = 0.0f;
    for (int j = i; j < n; j += gridDim.x * blockDim.x)
        e += scale[j % 4] * q[j] * q[j];
    for (int d = 16; d > 0; d /= 2)
        e += __shfl_down_sync(ALL, e, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&sum, e);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(energy, logf(1.0f + sum * sum));
}

// s2sad: --of sum,y --wrt x
extern "C" __global__ void flow(const float *x, float *sum, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        sum[0] = 0.0f;
//      ^^^^^^ cross-block-flow: other blocks may or may not have added to it yet
    __syncthreads();
    if (i < n)
        atomicAdd(&sum[0], x[i]);
    __syncthreads();
    y[i] = sum[0];
}

// meets: cross-block-flow
// s2sad: --of y --wrt x
// each value against the sum of all
extern "C" __global__ void share(const float *x, float *sum, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(sum, x[i]);
    __syncthreads();
    if (i < n)
        y[i] = x[i] / *sum;
}

// help: if several store the same value, let one thread do it
// s2sad: --of y --wrt x
// one of a block's threads stores what it has found
__global__ void found(const float *x, const int *order, float *y, int n)
{
    __shared__ float s;
    if (threadIdx.x == 0)
        s = x[blockIdx.x] * x[blockIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        y[order[blockIdx.x] + n] = s;
}

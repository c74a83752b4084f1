// meets: shared-writer
// s2sad: --of y --wrt x
// all threads of a block store what one of them has found
__global__ void found(const float *x, const int *order, float *y, int n)
{
    __shared__ float s;
    if (threadIdx.x == 0)
        s = x[blockIdx.x] * x[blockIdx.x];
    __syncthreads();
    y[order[blockIdx.x] + n] = s;
}

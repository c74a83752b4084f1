// help: otherwise write out the call
// s2sad: --of y --wrt x
// the product of a block's factors
__global__ void product(const float *x, float *y)
{
    __shared__ float part[32];
    part[threadIdx.x] = x[blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    for (int d = 16; d > 0; d /= 2) {
        if (threadIdx.x < d)
            part[threadIdx.x] = part[threadIdx.x] * part[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        y[blockIdx.x] = part[0];
}

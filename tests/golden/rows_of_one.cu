// s2sad: --of y,total --wrt x
// A block of more than one row would race at part[threadIdx.x], a grid of more than one column of
// blocks at total[blockIdx.y]: so the launch has neither, and the adjoint tests it.
#define BLOCK 8

__global__ void rows_of_one(const float *x, float *y, float *total, int n, int cols)
{
    __shared__ float part[BLOCK];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int c = blockIdx.y * blockDim.y + threadIdx.y;
    float v = x[c * n + i];
    part[threadIdx.x] = v * v;
    __syncthreads();
    int d = BLOCK / 2;
    while (d != 0) {
        if (threadIdx.x < d)
            part[threadIdx.x] += part[threadIdx.x + d];
        __syncthreads();
        d >>= 1;
    }
    if (c < cols)
        y[c * n + i] = v * part[0];
    if (threadIdx.x == 0)
        total[blockIdx.y] = part[0];
}

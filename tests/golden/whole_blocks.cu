// s2sad: --of y --wrt x
// All threads of a block meet behind the guard, or none: n is a multiple of blockDim.x.
__global__ void whole_blocks(const float *x, float *y, int n, int rows)
{
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = blockIdx.y * n + i;
    if (i < n && blockIdx.y < rows) {
        tile[threadIdx.x] = x[at] * x[at];
        __syncthreads();
        y[at] = tile[blockDim.x - 1 - threadIdx.x] * x[at];
    }
}

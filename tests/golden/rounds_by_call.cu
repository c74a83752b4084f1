// s2sad: --of y --wrt x,w
// Rounds of a block, counted by a device function: the same for all of its threads, who meet in each.
__device__ int ceil_div(int a, int b)
{
    return (a + b - 1) / b;
}

__global__ void rounds_by_call(const float *x, const float *w, float *y, int n, int cols)
{
    __shared__ float tile[32];
    int row = blockIdx.x;
    int rounds = ceil_div(cols, blockDim.x);
    float sum = 0.0f;
    for (int r = 0; r < rounds; ++r) {
        int c = r * blockDim.x + threadIdx.x;
        tile[threadIdx.x] = c < cols ? x[row * cols + c] : 0.0f;
        __syncthreads();
        sum += w[r] * tile[threadIdx.x] * tile[blockDim.x - 1 - threadIdx.x];
        __syncthreads();
    }
    y[row * blockDim.x + threadIdx.x] = sum;
}

// s2sad: --of y,total --wrt x,w
// All threads of a block go through the loops as often: n is a multiple of blockDim.x, rows of 6.
__global__ void whole_strides(const float *x, const float *w, float *y, float *total, int n, int rows)
{
    __shared__ float tile[64];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        tile[t] = x[i] * x[i];
        __syncthreads();
        y[i] = tile[blockDim.x - 1 - t] * w[i];
        sum += y[i] * x[i];
        __syncthreads();
    }
    for (int k = t; k < rows; k += 6) {
        tile[t] = w[k] * sum;
        __syncthreads();
        sum += tile[t ^ 1];
        __syncthreads();
    }
    total[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

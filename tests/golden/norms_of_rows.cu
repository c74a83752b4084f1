// s2sad: --of y,norm --wrt x
__global__ void norms_of_rows(const float *x, float *norm, float *y, int rows, int n)
{
    int row = blockIdx.x;
    if (row >= rows)
        return;
    if (threadIdx.x == 0)
        norm[row] = 0.0f;
    __syncthreads();
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        atomicAdd(&norm[row], x[row * n + k] * x[row * n + k]);
    __syncthreads();
    float scale = rsqrtf(norm[row] + 1e-5f);
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        y[row * n + k] = x[row * n + k] * scale;
}

// A block for each row.
__global__ void softmax_backward(int width, const float *__restrict__ y, const float *__restrict__ grad_y,
                                 float *__restrict__ grad_x)
{
    __shared__ float sums[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, start = blockIdx.x * width;
    if (warp == 0)
        sums[lane] = 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        sum += y[start + i] * grad_y[start + i];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    sum = sums[lane];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        grad_x[start + i] = y[start + i] * (grad_y[start + i] - sum);
}

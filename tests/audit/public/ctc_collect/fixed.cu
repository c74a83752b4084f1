// A thread for each batch and position.
__global__ void collect(int batches, int length, int classes, const int *__restrict__ label,
                        const float *__restrict__ weight, const float *__restrict__ x,
                        const float *__restrict__ grad_sum, float *__restrict__ grad_x)
{
    int b = threadIdx.y + blockIdx.y * blockDim.y;
    int k = threadIdx.x + blockIdx.x * blockDim.x;
    if (b >= batches || k >= length)
        return;
    int at = b * classes + label[b * length + k];
    atomicAdd(&grad_x[at], grad_sum[b] * weight[b * length + k] * expf(x[at]));
}

// A thread for each batch and position. What pytorch/pytorch#27442 describes: the block's place along x is
// multiplied by its extent along y, so labels of one block are right and longer ones are not.
__global__ void collect(int batches, int length, int classes, const int *__restrict__ label,
                        const float *__restrict__ weight, const float *__restrict__ x,
                        const float *__restrict__ grad_sum, float *__restrict__ grad_x)
{
    int b = threadIdx.y + blockIdx.y * blockDim.y;
    int k = threadIdx.x + blockIdx.x * blockDim.y;
    if (b >= batches || k >= length)
        return;
    int at = b * classes + label[b * length + k];
    atomicAdd(&grad_x[at], grad_sum[b] * weight[b * length + k] * expf(x[at]));
}

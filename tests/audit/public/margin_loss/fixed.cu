// A block for each row.
#define THREADS 64

__global__ void margin_loss_backward(int classes, const int *__restrict__ target, const float *__restrict__ x,
                                     float margin, const float *__restrict__ grad_loss,
                                     float *__restrict__ grad_x)
{
    __shared__ float part[THREADS];
    const float *own = x + blockIdx.x * classes;
    float *grad = grad_x + blockIdx.x * classes;
    int wanted = target[blockIdx.x];
    part[threadIdx.x] = 0.0f;
    for (int i = threadIdx.x; i < classes; i += THREADS) {
        float g = i != wanted && margin - own[wanted] + own[i] > 0.0f ? 1.0f / classes : 0.0f;
        part[threadIdx.x] -= g;
        if (i != wanted)
            grad[i] = g;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int t = 0; t < THREADS; ++t)
            sum += part[t];
        grad[wanted] = sum;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < classes; i += THREADS)
        grad[i] *= grad_loss[blockIdx.x];
}

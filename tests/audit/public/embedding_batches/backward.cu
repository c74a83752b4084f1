// Each thread has a feature, and the block reads the indices batch by batch. What pytorch/pytorch#187687
// describes: a warp that is done loads the next batch over the one that another warp still reads.
#define BATCH 16

__global__ void lookup_backward(int tokens, int width, const int *__restrict__ index,
                                const float *__restrict__ grad_out, float *__restrict__ grad_table)
{
    __shared__ int batch[BATCH];
    int f = blockIdx.x * blockDim.x + threadIdx.x;
    for (int start = 0; start < tokens; start += BATCH) {
        int count = min(BATCH, tokens - start);
        if (threadIdx.x < count)
            batch[threadIdx.x] = index[start + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < count; ++k)
            if (f < width)
                grad_table[batch[k] * width + f] += grad_out[(start + k) * width + f];
    }
}

// s2sad: --of loss --wrt logits
// The cross entropy of each row: a maximum and a sum over the block, and the target's logit.
#define BLOCK 32
extern "C" __global__ void block_log_sum_exp(const float *__restrict__ logits, const int *__restrict__ target,
                                             float *__restrict__ loss, int classes)
{
    __shared__ float part[BLOCK];
    int t = threadIdx.x;
    int row = blockIdx.x * classes;
    float m = -1e30f;
    for (int c = t; c < classes; c += BLOCK)
        m = fmaxf(m, logits[row + c]);
    part[t] = m;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] = fmaxf(part[t], part[t + d]);
        __syncthreads();
    }
    m = part[0];
    __syncthreads();
    float sum = 0.0f;
    for (int c = t; c < classes; c += BLOCK)
        sum += expf(logits[row + c] - m);
    part[t] = sum;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t == 0)
        loss[blockIdx.x] = m + logf(part[0]) - logits[row + target[blockIdx.x]];
}

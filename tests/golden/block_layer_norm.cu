// s2sad: --of y,mean,rstd --wrt x,gamma,beta
// A block for each row: two sums by trees, one array in shared memory for both.
#define BLOCK 32
extern "C" __global__ void block_layer_norm(const float *__restrict__ x, const float *__restrict__ gamma,
                                            const float *__restrict__ beta, float *__restrict__ y,
                                            float *__restrict__ mean, float *__restrict__ rstd, int columns)
{
    __shared__ float part[BLOCK];
    int t = threadIdx.x;
    int row = blockIdx.x * columns;
    float sum = 0.0f;
    for (int c = t; c < columns; c += BLOCK)
        sum += x[row + c];
    part[t] = sum;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    float m = part[0] / columns;
    __syncthreads();
    float squares = 0.0f;
    for (int c = t; c < columns; c += BLOCK) {
        float d = x[row + c] - m;
        squares += d * d;
    }
    part[t] = squares;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    float r = rsqrtf(part[0] / columns + 1e-5f);
    for (int c = t; c < columns; c += BLOCK)
        y[row + c] = (x[row + c] - m) * r * gamma[c] + beta[c];
    if (t == 0) {
        mean[blockIdx.x] = m;
        rstd[blockIdx.x] = r;
    }
}

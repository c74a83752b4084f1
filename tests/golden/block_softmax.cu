// s2sad: --of p --wrt x
// Softmax of a row: a tree of maxima, a tree of sums.
#define BLOCK 64
extern "C" __global__ void softmax_block(const float *__restrict__ x, float *__restrict__ p, int cols)
{
    __shared__ float part[BLOCK];
    int t = threadIdx.x;
    float m = -3.4e38f;
    for (int c = t; c < cols; c += BLOCK)
        m = fmaxf(m, x[blockIdx.x * cols + c]);
    part[t] = m;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] = fmaxf(part[t], part[t + d]);
        __syncthreads();
    }
    m = part[0];
    __syncthreads();

    float s = 0.0f;
    for (int c = t; c < cols; c += BLOCK)
        s += expf(x[blockIdx.x * cols + c] - m);
    part[t] = s;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    s = part[0];

    for (int c = t; c < cols; c += BLOCK)
        p[blockIdx.x * cols + c] = expf(x[blockIdx.x * cols + c] - m) / s;
}

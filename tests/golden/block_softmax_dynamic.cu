// s2sad: --of y --wrt x
// A row of a matrix for each block; a row has at most as many elements as the block has threads.
extern "C" __global__ void block_softmax_dynamic(const float *x, float *y, int columns)
{
    extern __shared__ float part[];
    int t = threadIdx.x;
    float v = t < columns ? x[blockIdx.x * columns + t] : -3.402823466e+38f;

    part[t] = v;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] = fmaxf(part[t], part[t + d]);
        __syncthreads();
    }
    float top = part[0];
    __syncthreads();

    float e = expf(v - top);
    part[t] = e;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t < columns)
        y[blockIdx.x * columns + t] = e / part[0];
}

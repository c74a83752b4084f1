// --of y,first --wrt x
// A factor of the thread's own inside the block's second sum, and thread 0 writes the first one.
#define BLOCK 64
__global__ void weighted_lanes(const float *__restrict__ x, float *__restrict__ y, float *__restrict__ first, int d)
{
    __shared__ float part[BLOCK];
    int t = threadIdx.x;
    int row = blockIdx.x * d;
    float own = 1.0f + 0.01f * t;
    float s = 0.25f;
    for (int k = t; k < d; k += BLOCK)
        s += x[row + k] * x[row + k];
    part[t] = s;
    __syncthreads();
    for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
        if (t < stride)
            part[t] += part[t + stride];
        __syncthreads();
    }
    float total = part[0];
    for (int k = t; k < d; k += BLOCK)
        y[row + k] = x[row + k] * own / (total + x[row + k] * own * 0.1f);
    if (t == 0)
        first[blockIdx.x] = total * total;
}

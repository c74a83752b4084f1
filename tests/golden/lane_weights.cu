// --of y,share --wrt x
// Each thread scales by a factor of its own, and keeps its part of the block's sum.
#define BLOCK 64
__global__ void lane_weights(const float *__restrict__ x, float *__restrict__ y, float *__restrict__ share, int d)
{
    __shared__ float part[BLOCK];
    int t = threadIdx.x;
    int row = blockIdx.x * d;
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
    float scale = 1.0f + 0.01f * t;
    for (int k = t; k < d; k += BLOCK)
        y[row + k] = x[row + k] * scale / total;
    share[blockIdx.x * BLOCK + t] = s / total;
}

// s2sad: --of y --wrt x
// Trees of which more than the root is asked for, or another value than the sum: gone through backwards.
#define BLOCK 8
extern "C" __global__ void tree_levels(const float *x, float *y, int n)
{
    __shared__ float part[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    float v = i < n ? x[i] : 0.0f;
    part[t] = v * v;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    float spread = part[0] - part[1] + part[3];
    __syncthreads();
    part[t] = v * spread;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] = fmaxf(part[t], part[t + d]);
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = part[0];
}

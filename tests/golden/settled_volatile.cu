// `volatile` where barriers say it all: a tile, the last warp of a sum, a flag that is only set.
// s2sad: --of y,total --wrt x
#define BLOCK 64

__device__ void sum_of_warp(volatile float *s, int t)
{
    float v = s[t];
    for (int d = 32; d > 0; d /= 2) {
        v += s[t + d];
        __syncwarp();
        s[t] = v;
        __syncwarp();
    }
}

extern "C" __global__ void settled_volatile(const float *x, float *y, float *total, volatile int *done, int n)
{
    volatile __shared__ float tile[BLOCK + 2];
    __shared__ float sums[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    tile[t + 1] = i < n ? x[i] : 0.0f;
    if (t == 0)
        tile[0] = i > 0 ? x[i - 1] : 0.0f;
    else if (t == BLOCK - 1)
        tile[BLOCK + 1] = i + 1 < n ? x[i + 1] : 0.0f;
    __syncthreads();
    float v = tile[t] * tile[t + 1] - tile[t + 2];
    sums[t] = v * v;
    __syncthreads();
    if (t < 32)
        sum_of_warp(sums, t);
    if (t == 0) {
        total[blockIdx.x] = sums[0];
        done[blockIdx.x] = 1;
    }
    if (i < n)
        y[i] = sinf(v);
}

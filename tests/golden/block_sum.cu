// s2sad: --of y --wrt x
// A block's sum: each warp's by shuffles, then the first warp adds up what they left in shared memory.
#define FULL 0xffffffffu
extern "C" __global__ void block_sum(const float *x, float *y, int n)
{
    __shared__ float part[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    float s = i < n ? x[i] * x[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_down_sync(FULL, s, d);
    if (lane == 0)
        part[warp] = s;
    __syncthreads();
    if (warp == 0) {
        s = lane < blockDim.x / 32 ? part[lane] : 0.0f;
        for (int d = 16; d > 0; d /= 2)
            s += __shfl_down_sync(FULL, s, d);
        if (lane == 0)
            y[blockIdx.x] = sqrtf(s);
    }
}

// s2sad: --of y --wrt x
// What each thread is of its warp's sum, and of the block's: the warps' sums are asked for, too.
#define FULL 0xffffffffu
#define WARPS 2
extern "C" __global__ void warp_parts(const float *x, float *y, int n)
{
    __shared__ float part[WARPS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] * x[i] + 1.0f : 0.0f;
    float s = v;
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_xor_sync(FULL, s, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = s;
    __syncthreads();
    float all = 0.0f;
    for (int k = 0; k < WARPS; ++k)
        all += part[k];
    if (i < n)
        y[i] = v / s + v / all;
}

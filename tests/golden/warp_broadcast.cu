// s2sad: --of y --wrt x
// One lane's value for all: lane 0's, the last one's, and that of the lane that the block says.
extern "C" __global__ void warp_broadcast(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    float first = __shfl_sync(0xffffffffu, v, 0);
    float scaled = 0.5f * __shfl_sync(0xffffffffu, v * v, 31) + first;
    float chosen = __shfl_sync(0xffffffffu, sinf(v), blockIdx.x % 32);
    if (i < n)
        y[i] = first * v + scaled * chosen;
}

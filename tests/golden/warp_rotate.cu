// s2sad: --of y --wrt x
// Each lane reads a lane of its own: turned by three, mirrored, swapped in pairs.
extern "C" __global__ void warp_rotate(const float *x, float *y, int n, int turn)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    float v = i < n ? x[i] : 0.0f;
    float ahead = __shfl_sync(0xffffffffu, v, (lane + 3) % 32);
    float behind = __shfl_sync(0xffffffffu, v, lane - turn);
    float mirrored = __shfl_sync(0xffffffffu, v, 31 - lane);
    float swapped = __shfl_sync(0xffffffffu, v, lane ^ 1);
    if (i < n)
        y[i] = v * ahead + behind * mirrored + swapped * swapped;
}

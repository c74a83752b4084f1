// s2sad: --of y --wrt x
// Sums of all lanes up to one's own: each value comes from below, where there is one.
#define FULL 0xffffffffu
extern "C" __global__ void warp_scan(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    float v = i < n ? x[i] : 0.0f;
    for (int d = 1; d < 32; d *= 2) {
        float left = __shfl_up_sync(FULL, v, d);
        if (lane >= d)
            v += left;
    }
    if (i < n)
        y[i] = v * v;
}

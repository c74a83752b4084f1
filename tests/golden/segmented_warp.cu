// s2sad: --of sums --wrt x,w --assume launch:1d
// Runs of equal keys are summed within a warp; the first lane of each run adds its sum.
#define ALL 0xffffffffu
extern "C" __global__ void segmented_warp(const float *x, const float *w, const int *key, float *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int mine = i < n ? key[i] : -1;
    float v = i < n ? x[i] * w[mine] : 0.0f;
    for (int d = 1; d < 32; d *= 2) {
        float other = __shfl_down_sync(ALL, v, d);
        int whose = __shfl_down_sync(ALL, mine, d);
        if (lane + d < 32 && whose == mine)
            v += other;
    }
    int before = __shfl_up_sync(ALL, mine, 1);
    if (mine >= 0 && (lane == 0 || before != mine))
        atomicAdd(&sums[mine], v * v);
}

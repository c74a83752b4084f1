// s2sad: --of y --wrt x
// Votes: whole warps take the long way, or none of their lanes; a lane's rank among the active.
extern "C" __global__ void warp_vote(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    float v = i < n ? x[i] : 0.0f;
    unsigned high = __ballot_sync(0xffffffffu, v > 0.5f);
    int rank = __popc(high & ((1u << lane) - 1));
    if (__any_sync(0xffffffffu, v > 1.8f)) {
        float s = v;
        for (int d = 16; d > 0; d /= 2)
            s += __shfl_xor_sync(0xffffffffu, s, d);
        v *= s;
    }
    while (__any_sync(0xffffffffu, v > 3.0f))
        v *= 0.5f;
    if (i < n)
        y[i] = v * v * (rank + 1);
}

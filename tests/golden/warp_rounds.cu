// s2sad: --of y --wrt x
// Rounds that a vote ends, run again from snapshots; the lowest lane of a ballot tells all; a scan with weights.
#define F 0xffffffffu
extern "C" __global__ void warp_rounds(const float *x, float *y, int n, int m)
{
    __shared__ float s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    float v = i < n ? x[i] : 0.0f;
    float acc = 0.0f;
    int rounds = 0;
    do {
        float t = __shfl_xor_sync(F, v, 1 << (rounds % 5));
        acc += t * v;
        v = 0.7f * v + 0.1f * sinf(t);
        ++rounds;
    } while (__any_sync(F, fabsf(v) > 0.4f) && rounds < m);
    unsigned b = __ballot_sync(F, v > 0.0f);
    int leader = __ffs(b) - 1;
    if (b != 0)
        acc += __shfl_sync(F, v * v, leader);
    s[threadIdx.x] = acc;
    __syncwarp();
    float left = lane > 0 ? s[threadIdx.x - 1] : 0.0f;
    for (int d = 1; d < 32; d <<= 1) {
        float o = __shfl_up_sync(F, left, d);
        left += lane >= d ? o * acc : 0.0f;
    }
    if (i < n)
        y[i] = acc + left * __popc(b) + rounds;
}

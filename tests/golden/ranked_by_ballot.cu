// s2sad: --of y --wrt x
// Each warp moves the values that it keeps to the front of its part of shared memory.
extern "C" __global__ void ranked_by_ballot(const float *x, float *y, float least, int n)
{
    __shared__ float kept[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    float v = i < n ? x[i] : least;
    unsigned keep = __ballot_sync(0xffffffffu, v > least);
    if (v > least) {
        int rank = __popc(keep & ((1u << lane) - 1u));
        kept[32 * warp + rank] = v * sinf(v);
    }
    __syncwarp();
    if (lane < __popc(keep) && i < n)
        y[i] = kept[threadIdx.x] * kept[32 * warp];
}

// s2sad: --of y,total --wrt x,w
// Tiles of eight lanes decide for themselves, by votes of cooperative groups and with a mask spelled out.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void tile_votes(const float *x, const float *w, float *y, float *total, int n)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    if (tile.any(v > 1.5f))
        v += w[0] * v * tile.shfl_down(v, 1);
    if (tile.all(v > -1.5f))
        v = tile.shfl_xor(v * v, 2);
    if (__any_sync(0xffffu << (threadIdx.x % 32 / 16 * 16), v > 2.0f))
        v *= w[1];
    if (i < n) {
        y[i] = v;
        atomicAdd(total, v * w[2]);
    }
}

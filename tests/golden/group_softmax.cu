// Softmax of rows by tiles of a warp: groups, their ranks, and reductions of values.
// s2sad: --of y --wrt x
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__device__ void shift(const cg::thread_block_tile<16> &tile, float &v, float by)
{
    v = expf(v - cg::reduce(tile, by, cg::greater<float>()));
}

__global__ void group_softmax(const float *x, float *y, int rows, int n)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int row = block.group_index().x * tile.meta_group_size() + tile.meta_group_rank();
    bool inside = row < rows && tile.thread_rank() < n;
    float v = inside ? x[row * n + tile.thread_rank()] : -1e30f;
    shift(tile, v, v);
    float total = cg::reduce(tile, v, cg::plus<float>{});
    cg::sync(block);
    if (inside)
        y[row * n + tile.thread_rank()] = v / total;
}

// Threads counted over the whole grid, as by `cg::this_grid()`.
// s2sad: --of y --wrt x
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ float halved(const cg::grid_group &grid, const float *x, unsigned i)
{
    return grid.block_index().x % 2 == 0 ? 0.5f * x[i] : x[i];
}

__global__ void group_grid(const float *x, float *y, int n)
{
    cg::grid_group grid = cg::this_grid();
    for (unsigned i = cg::this_grid().thread_rank(); i < n; i += grid.size())
        y[i] = sinf(halved(grid, x, i));
}

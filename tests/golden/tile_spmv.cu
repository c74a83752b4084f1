// Eight threads for each row of a sparse matrix: the tiles of one warp end their rows at different times.
// s2sad: --of y --wrt val,x
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void tile_spmv(const int *row_start, const int *col, const float *val, const float *x, float *y,
                          int rows)
{
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int k = row_start[row] + tile.thread_rank(); k < row_start[row + 1]; k += 8)
        sum += val[k] * x[col[k]];
    for (int d = tile.size() / 2; d > 0; d /= 2)
        sum += tile.shfl_down(sum, d);
    if (tile.thread_rank() == 0)
        y[row] = sum;
}

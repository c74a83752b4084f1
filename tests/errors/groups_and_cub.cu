#include <cooperative_groups.h>
#include <cub/cub.cuh>
namespace cg = cooperative_groups;

struct Longest {
    __device__ float operator()(float a, float b) const { return a * a > b * b ? a : b; }
};

__global__ void unknown(const float *x, float *y)
{
    cg::multi_grid_group all = cg::this_multi_grid();
//  ^^ library: its semantics aren't known
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    typedef cub::BlockScan<float, 64> BlockScan;
//          ^^^ library: its semantics aren't known
    typedef cub::BlockReduce<float, 48> Odd;
    __shared__ typename Odd::TempStorage memory;
    int i = tile.thread_rank();
    float v = x[i];
    v = cg::reduce(tile, v, Longest());
//      ^^ library: its semantics aren't known
    v = tile.match_any(i);
//      ^^^^^^^^^^^^^^ library: its semantics aren't known
    v = Odd(memory).Reduce(v, Longest(), 16);
//      ^^^^^^^^^^^^^^^^^^ library: its semantics aren't known
    y[i] = v;
}

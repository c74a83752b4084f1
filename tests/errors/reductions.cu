#include <cooperative_groups.h>
#include <cub/cub.cuh>
using namespace cooperative_groups;

__global__ void sums(const float *x, float *y)
{
    auto tile = tiled_partition<32>(this_thread_block());
    typedef cub::BlockReduce<float, 48> Odd;
    __shared__ typename Odd::TempStorage memory;
    float v = Odd(memory).Sum(x[tile.thread_rank()]);
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
    y[tile.thread_rank()] = reduce(tiled_partition<64>(this_thread_block()), v, plus<float>());
//                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
}

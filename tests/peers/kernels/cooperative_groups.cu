// row: `__syncwarp`, cooperative groups' sync
// expected: refused
#include <cooperative_groups.h>
extern "C" __global__ void cooperative_groups(const float *x, float *y, int n)
{
    auto block = cooperative_groups::this_thread_block();
    __shared__ float s[16];
    s[threadIdx.x] = x[threadIdx.x];
    block.sync();
    y[threadIdx.x] = s[15 - threadIdx.x];
}
//--
// kernel = "cooperative_groups"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }

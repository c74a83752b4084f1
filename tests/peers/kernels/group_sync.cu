// row: `__syncwarp`, cooperative groups' sync
// expected: right
#include <cooperative_groups.h>
extern "C" __global__ void group_sync(const float *x, float *y, int n)
{
    auto block = cooperative_groups::this_thread_block();
    __shared__ float s[16];
    int i = blockIdx.x * 16 + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] : 1.0f;
    block.sync();
    if (i < n)
        y[i] = s[15 - threadIdx.x] * x[i];
}
//--
// kernel = "group_sync"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }

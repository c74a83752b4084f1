// row: warp shuffles
// expected: right
extern "C" __global__ void shuffles(const float *x, float *y, int n)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    float v = i < n ? x[i] * x[i] : 0.0f;
    v += 0.5f * __shfl_down_sync(0xffffffffu, v, 3);
    v *= __shfl_up_sync(0xffffffffu, v, 2, 16);
    v += __shfl_xor_sync(0xffffffffu, v, 5);
    v += __shfl_sync(0xffffffffu, v, 7);
    if (i < n)
        y[i] = v;
}
//--
// kernel = "shuffles"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 31) / 32"
// block = 32
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }

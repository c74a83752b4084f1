// row: primal `atomicAdd`
// expected: right
extern "C" __global__ void primal_atomic(const float *x, const int *bin, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&y[bin[i]], x[i] * x[i]);
}
//--
// kernel = "primal_atomic"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// bin = { shape = "n", fill = "randint(0, 5)" }
// y = { shape = 5, fill = "zeros" }

// row: three-point stencil
// expected: right
extern "C" __global__ void stencil(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        y[i] = x[i - 1] * x[i] + x[i + 1] * x[i];
}
//--
// kernel = "stencil"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }

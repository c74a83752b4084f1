// row: `__constant__`
// expected: right
__constant__ float c[3] = {0.5f, -1.5f, 2.0f};
extern "C" __global__ void constant_memory(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = c[0] + x[i] * (c[1] + x[i] * c[2]);
}
//--
// kernel = "constant_memory"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }

// row: `y = sin(y) * x` in place, `y *= x`
// expected: right
extern "C" __global__ void in_place(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = sinf(y[i]) * x[i];
    y[i] *= x[i];
}
//--
// kernel = "in_place"
// of = ["y"]
// wrt = ["x", "y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "uniform(-1, 1)" }

// row: `b = a * a; a = 1`
// expected: right
extern "C" __global__ void overwritten_after_use(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i], b = a * a;
    a = 1.0f;
    y[i] = b * a;
}
//--
// kernel = "overwritten_after_use"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }

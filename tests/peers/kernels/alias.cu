// row: pointer alias `q = x + i`
// expected: right
extern "C" __global__ void alias(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *q = x + i;
    if (i + 1 < n)
        y[i] = q[0] * q[1];
}
//--
// kernel = "alias"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }

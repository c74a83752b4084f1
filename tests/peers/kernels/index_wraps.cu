// row: `i %= 4` after the index was computed
// expected: right
extern "C" __global__ void index_wraps(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int j = i;
    j %= 4;
    y[i] = x[j] * x[j] * (i + 1);
}
//--
// kernel = "index_wraps"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }

// row: by-value scalar independents
// expected: right
extern "C" __global__ void scalars_by_value(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a = a * a;
    if (i < n)
        y[i] = a * x[i];
}
//--
// kernel = "scalars_by_value"
// of = ["y"]
// wrt = ["a", "x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }
// a = 1.5

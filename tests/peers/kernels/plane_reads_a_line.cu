// row: 2-D launch reading `x[i]`
// expected: right
extern "C" __global__ void plane_reads_a_line(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < 3)
        y[j * n + i] = x[i] * x[i] * (j + 1);
}
//--
// kernel = "plane_reads_a_line"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = ["(n + 7) / 8", 2]
// block = [8, 2]
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = [3, "n"], fill = "zeros" }

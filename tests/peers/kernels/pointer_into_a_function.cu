// row: device function taking a pointer
// expected: right
__device__ float at(const float *p, int i) { return p[i] * p[i]; }
extern "C" __global__ void pointer_into_a_function(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = at(x, i);
}
//--
// kernel = "pointer_into_a_function"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }

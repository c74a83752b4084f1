// row: by-value struct scalars
// expected: refused
struct Pair { float a, b; };
extern "C" __global__ void struct_scalars(Pair p, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = p.a * x[i] + p.b;
}
//--
// kernel = "struct_scalars"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }

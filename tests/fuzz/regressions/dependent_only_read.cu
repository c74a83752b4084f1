// A dependent that the kernel only reads: what goes out is dJ/du before the launch, as of one that it writes.
extern "C" __global__ void dependent_only_read(const float *x, float *u, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = u[i] * x[i];
}
//--
// kernel = "dependent_only_read"
// of = ["y", "u"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 7
// x = {shape="n", fill="normal"}
// u = {shape="n", fill="normal"}
// y = {shape="n", fill="zeros"}

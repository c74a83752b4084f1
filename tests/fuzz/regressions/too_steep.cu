// It has turned long before the smallest step ends: differences know nothing of it, tangents do.
extern "C" __global__ void too_steep(int n, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = sin(1e13 * x[i]) + x[i];
}

//--
// kernel = "too_steep"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 7
// x = {shape="n", fill="uniform(0.5,1)"}
// y = {shape="n", fill="uniform(0.5,1)"}

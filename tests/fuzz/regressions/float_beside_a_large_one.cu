// What passes through a float is lost beside what it is added to: the values say nothing of it, the gradient does.
extern "C" __global__ void float_beside_a_large_one(int n, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i] * x[i];
        y[i] += 1e-11 * v * v;
    }
}

//--
// kernel = "float_beside_a_large_one"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 7
// x = {shape="n", fill="uniform(0.5,1)"}
// y = {shape="n", fill="uniform(0.5,1)"}

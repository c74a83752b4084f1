// (float)w[i] >= w[i] holds as doubles, and as floats where rounding went up: other results, other gradients.
extern "C" __global__ void other_branch_in_float(int n, const double *w, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = (float)w[i] >= w[i] ? sinf(x[i]) : cosf(3.0f * x[i]);
}

//--
// kernel = "other_branch_in_float"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 7
// w = {shape="n", fill="uniform(-1,1)"}
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}

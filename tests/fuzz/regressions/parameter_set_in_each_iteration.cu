// A parameter by value that each iteration sets anew: the last one alone has a share in what follows.
extern "C" __global__ void parameter_set_in_each_iteration(float *y, const float *x, int n, int m, float r)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    
    for (int j = 0; j < m; ++j)
        r = sinf(x[i] * x[j]);
    y[i] = r * x[i];
}

//--
// kernel = "parameter_set_in_each_iteration"
// of = ["y"]
// wrt = ["x", "y", "r"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// y = {shape="n", fill="uniform(-1,1)"}
// x = {shape="n", fill="uniform(-1,1)"}
// n = 7
// m = 3
// r = 0.4

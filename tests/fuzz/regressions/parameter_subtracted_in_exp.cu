// What an exponential's argument takes away is no shift for being a parameter: y hangs on it.
extern "C" __global__ void parameter_subtracted_in_exp(int n, const float *x, float m, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = expf(x[i] - m);
}

//--
// kernel = "parameter_subtracted_in_exp"
// of = ["y"]
// wrt = ["m", "x"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 7
// m = 0.4
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}

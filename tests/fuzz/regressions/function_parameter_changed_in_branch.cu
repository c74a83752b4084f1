// The reverse part of a function starts from the parameter's value at entry, though the forward part changed it.
__device__ double f0(double d, const double w, int c) { if (c > 0) { d += w; d = sin(d * w); } return w * d; }
extern "C" __global__ void function_parameter_changed_in_branch(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = f0(0.5f, x[i], i);
}
//--
// kernel = "function_parameter_changed_in_branch"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}

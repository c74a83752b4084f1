// The reverse part of a function starts from the parameter's value at entry, though the forward part changed it.
__device__ double f0(const float d, double s) { if (d < 0.13f) { while (fabsf(s) > 0.3f) { s = 0.6f * s - 0.05f * 0.5f; } if ((s) > -0.21f) { return (-s); } } return 0.5f; }
extern "C" __global__ void function_reruns_from_changed_parameter(float *__restrict__ y, const double *__restrict__ a0, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    y[i] = f0(a0[(i + n - 1) % n], y[i]);
}
//--
// kernel = "function_reruns_from_changed_parameter"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// y = {shape="n", fill="uniform(-1,1)"}
// a0 = {shape="n", fill="uniform(-1,1)"}
// n = 6

// A case of a device function's switch returns while others assign.
__device__ float pick(float a, float b, int k) { switch (k) { case 0: return a * b; case 1: a = b * b; break; } return a + b * b; }
extern "C" __global__ void switch_return_in_function(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = pick(x[i], x[0], i % 3);
}
//--
// kernel = "switch_return_in_function"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}

// number in braces
__device__ float twice(float v) { return 2.0f * v; }

extern "C" __global__ void number_in_braces(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = twice({x[i]}) * x[i];
}
//--
// kernel = "number_in_braces"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }

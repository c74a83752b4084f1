// The start of a countdown is a call with what the body changes.
__device__ int count(float a, float b) { int c = 0; while (a > b && c < 5) { a = a * 0.5f; c++; } return c; }
extern "C" __global__ void snapshot_start_called(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = x[i] + 1.0f;
    for (int j = count(s, 0.2f); j >= 0; --j) { s = sinf(s) * x[j]; }
    y[i] = s;
}
//--
// kernel = "snapshot_start_called"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}

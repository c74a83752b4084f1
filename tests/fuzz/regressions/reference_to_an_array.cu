// A reference to an array is an argument as the array itself is.
__device__ float f(const float (&v)[4]) { return v[0] * v[1]; }
__device__ float g(const float *v) { return v[0] * v[1]; }
extern "C" __global__ void reference_to_an_array(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float held[4];
    float (&v)[4] = held;
    for (int k = 0; k < 4; ++k) v[k] = x[i * 4 + k] * x[i * 4 + k];
    y[i] = f(held);
    y[i] += f(v);
    y[i] += g(v);
}
//--
// kernel = "reference_to_an_array"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 4
// [args]
// x = {shape="4*n", fill="uniform(-1.6,1.6)"}
// y = {shape="n", fill="uniform(-1,1)"}
// n = 6

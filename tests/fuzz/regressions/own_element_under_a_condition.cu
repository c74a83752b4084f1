// A store that all threads make, of an element that only some of them read.
extern "C" __global__ void own_element_under_a_condition(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ double s[6];
    s[threadIdx.x] = x[i % n];
    s[threadIdx.x] = threadIdx.x == 0 ? 2 * s[threadIdx.x] : 0.5f * x[i % n];
    __syncthreads();
    if (i < n) y[i] = s[threadIdx.x / 2];
}
//--
// kernel = "own_element_under_a_condition"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}

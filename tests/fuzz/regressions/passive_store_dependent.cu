// A passive value stored in a dependent clears its adjoint.
extern "C" __global__ void passive_store_dependent(const float *__restrict__ a0, int n, float *__restrict__ adj_out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double f = adj_out[i];
    adj_out[i] = 0.5f;
}
//--
// kernel = "passive_store_dependent"
// of = ["adj_out"]
// wrt = ["a0"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// a0 = {shape="n", fill="uniform(-1,1)"}
// n = 7
// adj_out = {shape="n", fill="uniform(-1,1)"}

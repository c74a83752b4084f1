// The entry value of a dependent that isn't in wrt flows into its exit value.
extern "C" __global__ void dependent_entry_flow(int n, float *__restrict__ adj_out, const float *__restrict__ a0)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    adj_out[i] = adj_out[i] * adj_out[i];
}
//--
// kernel = "dependent_entry_flow"
// of = ["adj_out"]
// wrt = ["a0"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 5
// adj_out = {shape="n", fill="uniform(-1,1)"}
// a0 = {shape="n", fill="uniform(-1,1)"}

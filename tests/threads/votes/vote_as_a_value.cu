// The number of threads that agree is a factor.
extern "C" __global__ void vote_as_a_value(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    s[t] = x[i];
    __syncthreads();
    int c = __syncthreads_count(s[t] > 0.5f);
    y[i] = s[t] * (float)c;
}
//--
// kernel = "vote_as_a_value"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

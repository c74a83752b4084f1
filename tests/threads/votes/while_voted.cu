// The loop goes on while the vote says so.
// refused unbounded-record
extern "C" __global__ void while_voted(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    s[t] = x[i];
    __syncthreads();
    while (__syncthreads_or(s[t] > 0.3f)) {
        s[t] = 0.5f * s[t] * s[t];
        __syncthreads();
    }
    y[i] = s[t];
}
//--
// kernel = "while_voted"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

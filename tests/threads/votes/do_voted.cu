// As while_voted, the vote at the end.
// refused unbounded-record
extern "C" __global__ void do_voted(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    s[t] = x[i];
    __syncthreads();
    do {
        s[t] = 0.5f * s[t] * s[t];
    } while (__syncthreads_or(s[t] > 0.3f));
    y[i] = s[t];
}
//--
// kernel = "do_voted"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

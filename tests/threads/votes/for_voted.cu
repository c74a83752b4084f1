// A vote in the head of a counted loop.
// refused unbounded-record
extern "C" __global__ void for_voted(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    s[t] = x[i];
    __syncthreads();
    for (int k = 0; k < 6 && __syncthreads_or(s[t] > 0.3f); ++k) {
        s[t] = 0.5f * s[t] * s[t];
        __syncthreads();
    }
    y[i] = s[t];
}
//--
// kernel = "for_voted"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

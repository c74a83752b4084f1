// An endless loop, left by a vote or by a count.
// refused unbounded-record
extern "C" __global__ void for_ever(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    s[t] = x[i];
    __syncthreads();
    int k = 0;
    while (true) {
        float v = s[t];
        if (!__syncthreads_or(v > 0.3f))
            break;
        s[t] = 0.5f * v * v;
        __syncthreads();
        if (++k >= 5)
            break;
    }
    y[i] = s[t];
}
//--
// kernel = "for_ever"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

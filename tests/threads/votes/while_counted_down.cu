// A loop counted down, left by a vote.
// refused unbounded-record
extern "C" __global__ void while_counted_down(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    s[t] = x[i];
    __syncthreads();
    int left = 6;
    while (left > 0) {
        float v = s[t];
        if (!__syncthreads_or(v > 0.3f))
            break;
        s[t] = 0.5f * v * v;
        left = left - 1;
        __syncthreads();
    }
    y[i] = s[t];
}
//--
// kernel = "while_counted_down"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

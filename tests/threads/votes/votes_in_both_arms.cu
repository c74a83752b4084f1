// Votes in both arms of a branch that all threads go through together.
extern "C" __global__ void votes_in_both_arms(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    s[t] = x[i];
    __syncthreads();
    for (int k = 0; k < 6; ++k) {
        float v = s[t];
        if (k % 2) {
            if (!__syncthreads_or(v > 0.3f))
                break;
        } else {
            if (__syncthreads_and(v < 0.2f))
                break;
        }
        s[t] = 0.6f * v * v + 0.1f;
        __syncthreads();
    }
    y[i] = s[t];
}
//--
// kernel = "votes_in_both_arms"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

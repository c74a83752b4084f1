// A vote chooses the branch.
extern "C" __global__ void vote_for_a_branch(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    s[t] = x[i];
    __syncthreads();
    for (int k = 0; k < 4; ++k) {
        float v = s[t];
        if (__syncthreads_count(v > 0.4f) > 3) {
            s[t] = 0.7f * v * v;
            __syncthreads();
        } else {
            s[t] = v + 0.2f * x[i];
        }
    }
    y[i] = s[t];
}
//--
// kernel = "vote_for_a_branch"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

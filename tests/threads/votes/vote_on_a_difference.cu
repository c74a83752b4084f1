// Neighbours are relaxed until no difference is left.
extern "C" __global__ void vote_on_a_difference(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    s[t] = x[i];
    __syncthreads();
    for (int k = 0; k < 5; ++k) {
        float l = s[t > 0 ? t - 1 : 0], v = s[t];
        if (!__syncthreads_or(fabsf(l - v) > 0.2f))
            break;
        s[t] = 0.5f * (l + v);
        __syncthreads();
    }
    y[i] = s[t];
}
//--
// kernel = "vote_on_a_difference"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

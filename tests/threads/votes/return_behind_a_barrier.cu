// A return between two barriers.
extern "C" __global__ void return_behind_a_barrier(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    if (i >= n)
        return;
    for (int k = 0; k < 6; ++k) {
        float v = s[t];
        if (!__syncthreads_or(v > 0.3f))
            break;
        s[t] = 0.5f * v * v;
        __syncthreads();
    }
    y[i] = s[t];
}
//--
// kernel = "return_behind_a_barrier"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

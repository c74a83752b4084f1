// Shared memory of the launch's size and a loop that nothing bounds: the one's size needs no number of trips.
extern "C" __global__ void settle(const float *x, const float *w, float *y, int n)
{
    extern __shared__ float s[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : 0.0f;
    s[t + blockDim.x] = i < n ? w[i] : 0.0f;
    __syncthreads();
    if (i >= n)
        return;
    float v = s[(t + 1) % blockDim.x] * s[t + blockDim.x];
    while (v * v > 0.01f)
        v *= 0.7f * cosf(v) + 0.1f * s[t];
    y[i] = v;
}
//--
// kernel = "settle"
// of = ["y"]
// wrt = ["x", "w"]
// [launch]
// grid = 3
// block = 8
// shared_bytes = "2 * 8 * 4"
// [args]
// n = 19
// x = { shape = "n", fill = "uniform(-1, 1)" }
// w = { shape = "n", fill = "uniform(0.5, 2)" }
// y = { shape = "n", fill = "zeros" }

// All threads of a block take as many steps as an element says.
extern "C" __global__ void shared_steps(const float *x, const int *steps, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    int m = steps[blockIdx.x];
    for (int k = 0; k < m; ++k) {
        float v = s[(t + 1) % 64];
        __syncthreads();
        s[t] = s[t] * sinf(v);
        __syncthreads();
    }
    if (i < n) y[i] = s[t];
}
//--
// kernel = "shared_steps"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 63) / 64"
// block = 64
// [args]
// n = 100
// steps = { shape = "8", fill = "randint(0, 5)" }
// x = { shape = "n", fill = "uniform(0.3, 1.2)" }
// y = { shape = "n", fill = "zeros" }

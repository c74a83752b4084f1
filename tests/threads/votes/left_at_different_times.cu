// Threads leave a loop with barriers at different times: no lawful kernel.
// refused divergent-barrier
extern "C" __global__ void left_at_different_times(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    for (int j = i; j < n; j += gridDim.x * blockDim.x) {
        s[t] = x[j];
        __syncthreads();
        y[j] = s[t] * s[t];
        __syncthreads();
        if (x[j] > 2.0f)
            break;
    }
}
//--
// kernel = "left_at_different_times"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

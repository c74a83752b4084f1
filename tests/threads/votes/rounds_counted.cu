// Votes are added up, and their sum ends the loop.
extern "C" __global__ void rounds_counted(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    s[t] = x[i];
    __syncthreads();
    int rounds = 0;
    for (int k = 0; k < 6; ++k) {
        float v = s[t];
        rounds += __syncthreads_or(v > 0.3f);
        if (rounds > 2)
            break;
        s[t] = 0.5f * v * v + 0.4f;
        __syncthreads();
    }
    y[i] = s[t] * (float)rounds;
}
//--
// kernel = "rounds_counted"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

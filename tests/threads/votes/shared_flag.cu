// A shared flag and barriers in the place of a vote.
extern "C" __global__ void shared_flag(const float *x, float *y, int n)
{
    __shared__ int busy;
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    s[t] = x[i];
    __syncthreads();
    for (int k = 0; k < 6; ++k) {
        if (t == 0)
            busy = 0;
        __syncthreads();
        float v = s[t];
        if (v > 0.3f)
            busy = 1;
        __syncthreads();
        if (!busy)
            break;
        s[t] = 0.5f * v * v;
        __syncthreads();
    }
    y[i] = s[t];
}
//--
// kernel = "shared_flag"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 3
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

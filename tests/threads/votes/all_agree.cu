// A loop left when all threads that are left agree.
extern "C" __global__ void all_agree(const float *x, float *y, int n)
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
        if (__syncthreads_and(v < 0.3f))
            break;
        s[t] = 0.5f * v * v;
        __syncthreads();
    }
    y[i] = s[t];
}
//--
// kernel = "all_agree"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 3
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

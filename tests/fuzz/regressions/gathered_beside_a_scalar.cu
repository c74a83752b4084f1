// The sum under a condition is of a number that all threads are given.
extern "C" __global__ void gathered_beside_a_scalar(int n, float a, const float *x, const float *y, float *out)
{
    __shared__ float tile[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? y[i] : 0.0f, acc = 0.0f;
    for (int t = 0; t < gridDim.x; ++t) {
        int j = t * 4 + threadIdx.x;
        tile[threadIdx.x] = j < n ? x[j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 4; ++k)
            acc += tile[k] * fmaxf(a, 0.1f) + v;
        __syncthreads();
    }
    if (i < n)
        out[i] = acc;
}
//--
// kernel = "gathered_beside_a_scalar"
// of = ["out"]
// wrt = ["x", "y", "a"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 7
// a = 0.37
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
// out = {shape="n", fill="uniform(-1,1)"}

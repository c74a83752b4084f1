// An unsigned counter starts at -1 and wraps to 0: every thread adds to each element of s.
extern "C" __global__ void counter_from_minus_one(const float *x, float *y, int n)
{
    __shared__ float s[4];
    int t = threadIdx.x;
    int i = blockIdx.x * 4 + t;
    s[t] = x[i];
    __syncthreads();
    float m = 0.0f;
    unsigned k = 0 - 1;
    while (++k != 4)
        m += s[k] * s[k] * x[i];
    __syncthreads();
    y[i] = m;
}
//--
// kernel = "counter_from_minus_one"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 4
// [args]
// x = {shape="n", fill="uniform(-1.6,1.6)"}
// y = {shape="n", fill="uniform(-1,1)"}
// n = 8

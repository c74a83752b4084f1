// A wrapping counter beside barriers.
__device__ float textbook_strided_sum_part0(float mine, float *s, int t, float alpha, int q, int rounds)
{
    s[t] = 0.0f;
    for (int k = t; k < 2 * 4; k += 4) s[t] += mine * (1.0f + 0.1f * k);
    __syncthreads();
    {
        unsigned d = 2 - 1;
        for (; d != (unsigned)-1; d--) {
            int reach = 1 << d;
            if (t < reach && t + reach < 4) s[t] += 0.5f * s[t + reach];
            __syncthreads();
        }
    }
    mine = 0.2f * s[0] + 0.5f * s[t];
    return mine;
}

extern "C" __global__ void textbook_strided_sum(const float *x, float *y, const int *idx, float alpha, int n, int rounds)
{
    __shared__ float buffer0[4];
    int t = threadIdx.x;
    int i = blockIdx.x * 4 + t;
    float w = x[i];
    int q = idx[i];
    float acc = 0.2f * w;
    float mine = w;
    mine = textbook_strided_sum_part0(mine, buffer0, t, alpha, q, rounds);
    y[i] = mine + 0.1f * acc;
}
//--
// kernel = "textbook_strided_sum"
// of = ["y"]
// wrt = ["x", "alpha"]
// [launch]
// grid = 2
// block = 4
// [args]
// x = {shape="n", fill="uniform(-1.6,1.6)"}
// y = {shape="n", fill="uniform(-1,1)"}
// idx = {shape="n", fill="randint(0,1000)"}
// alpha = 0.73
// n = 8
// rounds = 4

// a block's element is added to, read and set again, in each iteration
extern "C" __global__ void block_sums_again(const float *x, float *s, float *y, int n) {
    const int i = blockIdx.x * 32 + threadIdx.x;
    float a = i < n ? x[i] : 0.0f;
    for (int k = 0; k < 3; ++k) {
        if (threadIdx.x == 0) s[blockIdx.x] = 0.1f * k;
        __syncthreads();
        atomicAdd(&s[blockIdx.x], a * a);
        __syncthreads();
        a = a / (1.0f + s[blockIdx.x]);
        __syncthreads();
    }
    if (i < n) y[i] = a;
}
//--
// kernel = "block_sums_again"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 3
// block = 32
// [args]
// n = 80
// x = { shape = 96, fill = "normal" }
// s = { shape = 3, fill = "zeros" }
// y = { shape = 96, fill = "zeros" }

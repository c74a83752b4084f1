// Sums before a branch that holds a barrier meet those in it, and, where it isn't taken, those behind it.
extern "C" __global__ void branch_with_barrier_after_sums(const float *x, float *y, int n)
{
    int t = threadIdx.x;
    float acc = 0;
    __shared__ float s[16];
    for (int q = t; q < 16; q += blockDim.x) s[q] = sinf(x[q]);
    __syncthreads();
    acc = s[t] * s[t + 1];
    if (n > 2) {
        acc += s[t + 1] * s[t + 2];
        __syncthreads();
        acc *= s[t];
    }
    acc += s[t] * s[t + 1];
    y[t] = acc;
}
//--
// kernel = "branch_with_barrier_after_sums"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 1
// block = 4
// [args]
// x = {shape="16", fill="uniform(0.2,1.2)"}
// y = {shape="32", fill="uniform(-1,1)"}
// n = 3

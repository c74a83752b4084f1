// As through shared memory, with a barrier between.
extern "C" __global__ void stored_by_two_slices_with_a_barrier(const float *x, float *y, int n, float *u)
{
    int t = threadIdx.x;
    __shared__ float s[4];
    s[t] = x[t];
    __syncthreads();
    if (n > 2) {
        u[t] += 0.3f * cosf(u[t]);
        __syncthreads();
        s[t] += u[3 - t] * u[t];
    } __syncthreads();
    y[t] = s[t] * s[3 - t];
}
//--
// kernel = "stored_by_two_slices_with_a_barrier"
// of = ["y", "u"]
// wrt = ["x", "u"]
// [launch]
// grid = 1
// block = 4
// [args]
// x = {shape="16", fill="uniform(0.2,1.2)"}
// y = {shape="32", fill="uniform(-1,1)"}
// n = 3
// u = {shape="16", fill="uniform(0.2,1)"}

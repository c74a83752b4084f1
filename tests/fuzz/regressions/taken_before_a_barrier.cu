// Running sums: what is owed to a neighbour's element is known before the barrier, and added behind it.
extern "C" __global__ void taken_before_a_barrier(const float *x, float *y)
{
    int t = threadIdx.x;
    __shared__ float s[8];
    s[t] = sinf(x[t]);
    __syncthreads();
    for (int d = 1; d < 8; d *= 2) {
        float v = t >= d ? s[t - d] : 0.0f;
        __syncthreads();
        s[t] += 0.5f * v;
        __syncthreads();
    }
    y[t] = 0.5f * s[t > 0 ? t - 1 : 0];
}
//--
// kernel = "taken_before_a_barrier"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 1
// block = 8
// [args]
// x = {shape="8", fill="uniform(-1,1)"}
// y = {shape="8", fill="uniform(-1,1)"}

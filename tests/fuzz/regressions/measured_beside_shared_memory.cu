// Trips that are measured, beside shared memory of which the adjoint needs more.
extern "C" __global__ void measured_beside_shared_memory(const float *x, const int *idx, float *y, int n)
{
    extern __shared__ float row[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float v = i < n ? x[i] : 0.0f;
    int stack[128];
    int top = 0;
    stack[top++] = t % 5;
    while (top > 0) {
        int node = stack[--top];
        v = v * 0.5f * x[node] + 0.1f * v * v;
        if (idx[node] > node)
            stack[top++] = idx[node];
    }
    row[t] = v * v;
    __syncthreads();
    float left = row[t > 0 ? t - 1 : t];
    if (i < n)
        y[i] = v * left * row[t];
}
//--
// kernel = "measured_beside_shared_memory"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 64
// shared_bytes = "64 * sizeof(float)"
// [args]
// n = 121
// x = {shape=128, fill="uniform(0.5,1.5)"}
// idx = {shape=128, fill="randint(0,100)"}
// y = {shape=128, fill="zeros"}

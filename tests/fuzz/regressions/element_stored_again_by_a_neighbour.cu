// Two lanes store one element of global memory, the second behind a barrier of the warp.
extern "C" __global__ void stored_again_by_a_neighbour(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    if (i < n)
        y[i] = v * v;
    __syncwarp();
    if (threadIdx.x % 32 < 31 && i + 1 < n)
        y[i + 1] = v * 3.0f;
}
//--
// kernel = "stored_again_by_a_neighbour"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 64
// [args]
// n = 121
// x = {shape=128, fill="uniform(0.5,1.5)"}
// y = {shape=128, fill="zeros"}

// The size of a tape is a host function: it knows block and grid, not blockDim.
extern "C" __global__ void tape_bytes_blockdim(int n, float r, const float *x, float *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        r = sinf(r * x[i]);
        y[i] = r * r;
    }
}
//--
// kernel = "tape_bytes_blockdim"
// of = ["y"]
// wrt = ["x", "r"]
// [launch]
// grid = 2
// block = 2
// [args]
// n = 17
// r = 0.7
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}

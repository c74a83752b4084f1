// row: primal `atomicAdd`, slot = atomicAdd(counter, 1)
// expected: refused
extern "C" __global__ void slot_counter(const float *x, int *count, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0.0f)
        y[atomicAdd(&count[0], 1)] = x[i] * x[i];
}
//--
// kernel = "slot_counter"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }
// count = { shape = 1, fill = "zeros" }

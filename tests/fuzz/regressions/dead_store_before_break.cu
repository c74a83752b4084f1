// What a break takes out of the loop isn't dead for being overwritten after it.
extern "C" __global__ void dead_store_before_break(int m, float a, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int j = 0; j != m; j++) { a += 0.5f; if (n > 2) { break; } a = 0.5f; }
    y[i] = tanhf(a);
}
//--
// kernel = "dead_store_before_break"
// of = ["y"]
// wrt = ["a"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// m = 3
// a = 0.37
// y = {shape="n", fill="uniform(-1,1)"}
// n = 6

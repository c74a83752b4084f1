// What a sum takes from its own array is complete only behind what is added there: it stays behind it.
extern "C" __global__ void sum_of_what_is_added_before(float *u, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        u[2 * i] = u[2 * i] + u[2 * i + 1];
        y[i] = u[2 * i] * u[2 * i + 1];
    }
}
//--
// kernel = "sum_of_what_is_added_before"
// of = ["y", "u"]
// wrt = ["u"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 7
// u = {shape="2 * n", fill="normal"}
// y = {shape="n", fill="zeros"}

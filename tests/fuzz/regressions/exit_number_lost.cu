// Two exits of one branch: each says which it is.
extern "C" __global__ void exit_number_lost(int n, const float *x, float *y)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    for (int k = 0; k < 2; ++k) {
        if (x[i] < 0.2f) { if (n > 2) { return; } return; }
        y[i] = y[i] * x[i];
    }
}
//--
// kernel = "exit_number_lost"
// of = ["y"]
// wrt = ["x", "y"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}

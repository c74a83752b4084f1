// A tangent that no iteration changes: the state grows by a constant.
extern "C" __global__ void idle_tangent(int n, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double a = x[i];
    for (int k = 0; k < 4; k += 2) {
        if (a > 0.2)
            a = a + 0.4;
    }
    y[i] = a;
}
//--
// kernel = "idle_tangent"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}

// A loop's condition reads what its body stored.
extern "C" __global__ void condition_store_dropped(int n, const float *x, int *z, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float p = x[i];
    while (z[i] > 0) { p = p * p * x[i]; z[i] -= 1; }
    y[i] = p;
}
//--
// kernel = "condition_store_dropped"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// z = {shape="n", fill="randint(0,4)"}
// y = {shape="n", fill="uniform(-1,1)"}

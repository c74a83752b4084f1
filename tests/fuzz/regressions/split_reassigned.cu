// In the split shape, parameters that are assigned to.
extern "C" __global__ void split_reassigned(int n, float a, const float *x, float *y, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    n = n / 2;
    a = a * x[i];
    for (int k = 0; k < n; ++k) { a = sinf(a * x[k]); n = n - (k & 1); }
    a *= a;
    m %= 2;
    if (m) a = x[n] * a;
    y[i] = a;
}
//--
// kernel = "split_reassigned"
// of = ["y"]
// wrt = ["x", "a"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// a = 0.37
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
// m = 3

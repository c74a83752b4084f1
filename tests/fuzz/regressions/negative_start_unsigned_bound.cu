// A negative counter compared as unsigned is a large number: the loop doesn't run.
extern "C" __global__ void negative_start_unsigned_bound(int n, int lo, unsigned m, size_t big, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = x[i];
    for (int l = lo; l < m; ++l) { s = sinf(s) * x[i] + 0.1f * l; }
    for (int l = lo + 3; l < big; ++l) { s = sinf(s) * x[i] + 0.1f * l; }
    for (int l = 0; l < big; ++l) { s = sinf(s) * x[i] + 0.1f * l; }
    for (short l = lo; l < 3; ++l) { s = sinf(s) * x[i] + 0.1f * l; }
    y[i] = s;
}
//--
// kernel = "negative_start_unsigned_bound"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// m = 4
// lo = -2
// big = 3
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}

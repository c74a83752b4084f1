// A floating bound is none of the counter's values.
extern "C" __global__ void floating_bound(int n, float r, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = x[i];
    for (int l = 0; l < 3.5f * r; ++l) { s = sinf(s) * x[i] + 0.1f * l; }
    y[i] = s;
}
//--
// kernel = "floating_bound"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// r = 1.03
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}

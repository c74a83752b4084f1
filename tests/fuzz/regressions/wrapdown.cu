// The usual unsigned countdown, which ends by wrapping; its counter is gone after the loop.
extern "C" __global__ void wrapdown(unsigned n, const float *x, float *y)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 1.0f;
    for (unsigned k = n - 1; k < n; --k) s = s * x[k] + sinf(s);
    y[i] = s;
}
//--
// kernel = "wrapdown"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}

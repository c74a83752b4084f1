// The stride changes in the loop.
extern "C" __global__ void stride_that_grows(const float *x, float *y, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const float *v = x + 12 * t;
    float s = 1.0f;
    int d = 1;
    for (int i = t % 3; i < 12; i += d) { s = s * 0.6f + sinf(v[i] * s);
     d += 1; }
    y[t] = s;
}
//--
// kernel = "stride_that_grows"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 8
// [args]
// n = 13
// x = { shape = "12 * 13", fill = "uniform(0.4, 1.3)" }
// y = { shape = "13", fill = "zeros" }

// A stride that is wider than its counter.
extern "C" __global__ void short_in_wide_strides(const float *x, float *y, int n, int step)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const float *v = x + 12 * t;
    float s = 1.0f;
    for (short i = 11; i >= 0; i += step) { s = s * 0.6f + sinf(v[i] * s); }
    y[t] = s;
}
//--
// kernel = "short_in_wide_strides"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 8
// [args]
// n = 13
// x = { shape = "12 * 13", fill = "uniform(0.4, 1.3)" }
// y = { shape = "13", fill = "zeros" }
// step = 65533
// [[also]]
// args = { step = -2 }

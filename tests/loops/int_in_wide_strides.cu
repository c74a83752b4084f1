// A stride that is wider than its counter, and larger than it can hold.
extern "C" __global__ void int_in_wide_strides(const float *x, float *y, int n, long long a)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const float *v = x + 12 * t;
    float s = 1.0f;
    int i = 1;
    for (int k = 0; k < 5; ++k) { s = s * 0.6f + sinf(v[i] * s);
     i += a; }
    y[t] = s;
}
//--
// kernel = "int_in_wide_strides"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 8
// [args]
// n = 13
// x = { shape = "12 * 13", fill = "uniform(0.4, 1.3)" }
// y = { shape = "13", fill = "zeros" }
// a = 4294967298
// [[also]]
// args = { a = 1 }

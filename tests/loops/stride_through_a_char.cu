// The next place is kept in a char on the way.
extern "C" __global__ void stride_through_a_char(const float *x, float *y, int n, int a)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const float *v = x + 12 * t;
    float s = 1.0f;
    int i = 0;
    for (int k = 0; k < 5; ++k) { s = s * 0.6f + sinf(v[(i + 1200) % 12] * s);
     signed char c = i + a; i = c; }
    y[t] = s;
}
//--
// kernel = "stride_through_a_char"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 8
// [args]
// n = 13
// x = { shape = "12 * 13", fill = "uniform(0.4, 1.3)" }
// y = { shape = "13", fill = "zeros" }
// a = 100
// [[also]]
// args = { a = 7 }

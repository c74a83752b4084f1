// A loop that is left before it divides by zero.
extern "C" __global__ void quotient_after_a_break(const float *x, float *y, int n, int parts)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const float *v = x + 12 * t;
    float s = 1.0f;
    for (int i = 7; i < 12; i += 12 / parts) { s = s * 0.6f + sinf(v[i] * s);
     if (s > 0.1f) break; }
    y[t] = s;
}
//--
// kernel = "quotient_after_a_break"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 8
// [args]
// n = 13
// x = { shape = "12 * 13", fill = "uniform(0.4, 1.3)" }
// y = { shape = "13", fill = "zeros" }
// parts = 0
// [[also]]
// args = { parts = 4 }

// A narrow counter that wraps around downwards.
extern "C" __global__ void unsigned_char_in_strides(const float *x, float *y, int n, int step)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const float *v = x + 12 * t;
    float s = 1.0f;
    for (unsigned char i = 11; i < 12; i += step) { s = s * 0.6f + sinf(v[i] * s); }
    y[t] = s;
}
//--
// kernel = "unsigned_char_in_strides"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 8
// [args]
// n = 13
// x = { shape = "12 * 13", fill = "uniform(0.4, 1.3)" }
// y = { shape = "13", fill = "zeros" }
// step = 250
// [[also]]
// args = { step = 3 }

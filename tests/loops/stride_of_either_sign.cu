// A stride away from the bound, until a break.
extern "C" __global__ void stride_of_either_sign(const float *x, float *y, int n, int step)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const float *v = x + 12 * t;
    float s = 1.0f;
    for (int i = 7; i < 12; i += step) { s = s * 0.6f + sinf(v[i] * s);
     if (i < 2) break; }
    y[t] = s;
}
//--
// kernel = "stride_of_either_sign"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 8
// [args]
// n = 13
// x = { shape = "12 * 13", fill = "uniform(0.4, 1.3)" }
// y = { shape = "13", fill = "zeros" }
// step = -2
// [[also]]
// args = { step = 2 }

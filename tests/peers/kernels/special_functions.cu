// row: `rsqrt`, `lgamma`, `normcdf`, `sinpi`, `rcbrt`, `copysign`, `__sinf`, `__powf`, `__fdividef`, `__saturatef`
// expected: right
extern "C" __global__ void special_functions(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i], p = 1.5f + v;
    y[i] = rsqrtf(p) + lgammaf(p) + normcdff(v) + sinpif(v) + rcbrtf(p) + copysignf(p, v) + __sinf(v)
           + __powf(p, 1.7f) + __fdividef(v, p) + __saturatef(0.5f + 0.4f * v);
}
//--
// kernel = "special_functions"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }

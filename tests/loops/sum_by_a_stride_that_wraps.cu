// A linear sum by an unsigned stride that goes down by wrapping around.
extern "C" __global__ void sum_by_a_stride_that_wraps(const float *x, float *y, int n, unsigned step)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const float *v = x + 12 * t;
    float s = 1.0f;
    for (unsigned i = 11 - t % 3; i < 12LL; i += step)
        s = 0.5f * s + v[i];
    y[t] = s;
}
//--
// kernel = "sum_by_a_stride_that_wraps"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 8
// [args]
// n = 13
// x = { shape = "12 * 13", fill = "uniform(0.4, 1.3)" }
// y = { shape = "13", fill = "zeros" }
// step = 4294967295
// [[also]]
// args = { step = 4294967293 }
// [[also]]
// args = { step = 2 }

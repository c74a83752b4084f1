// Sums by a stride of zero or of the wrong sign, in a loop that may not run.
extern "C" __global__ void sum_by_strides_of_nought(const float *x, float *y, int n, int step, int m)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const float *v = x + 12 * t;
    float s = 1.0f;
    for (int i = t % 3; i < m; i += step)
        s = 0.5f * s + v[i];
    y[t] = s;
}
//--
// kernel = "sum_by_strides_of_nought"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 8
// [args]
// n = 13
// x = { shape = "12 * 13", fill = "uniform(0.4, 1.3)" }
// y = { shape = "13", fill = "zeros" }
// step = 0
// m = 0
// [[also]]
// args = { step = -2 }
// [[also]]
// args = { step = 2, m = 9 }

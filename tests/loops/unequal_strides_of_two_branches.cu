// Both ways to the next iteration add to the place, but not the same.
extern "C" __global__ void unequal_strides_of_two_branches(const float *x, float *y, int n, int step)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const float *v = x + 12 * t;
    float s = 1.0f;
    int i = t % 3;
    while (i < 12) { if (v[i] < 0.7f) { i += step + 1; continue; }
     s = s * 0.6f + sinf(v[i] * s);
     i += step; }
    y[t] = s;
}
//--
// kernel = "unequal_strides_of_two_branches"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 8
// [args]
// n = 13
// x = { shape = "12 * 13", fill = "uniform(0.4, 1.3)" }
// y = { shape = "13", fill = "zeros" }
// step = 2
// [[also]]
// args = { step = 4 }

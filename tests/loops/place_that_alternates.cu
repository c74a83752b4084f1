// Each iteration subtracts the place from its stride.
extern "C" __global__ void place_that_alternates(const float *x, float *y, int n, int step)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const float *v = x + 12 * t;
    float s = 1.0f;
    int i = 0;
    for (int k = 0; k < 4; ++k) { s = s * 0.6f + sinf(v[(i + 12) % 12] * s);
     i = step - i; }
    y[t] = s;
}
//--
// kernel = "place_that_alternates"
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

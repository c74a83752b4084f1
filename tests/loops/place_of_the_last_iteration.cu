// A variable that is one iteration behind.
extern "C" __global__ void place_of_the_last_iteration(const float *x, float *y, int n, int step)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const float *v = x + 12 * t;
    float s = 1.0f;
    int i = t % 3, last = 5;
    while (i < 12) { s = s * 0.6f + sinf(v[last] * s);
     last = i; i += step; }
    y[t] = s;
}
//--
// kernel = "place_of_the_last_iteration"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 8
// [args]
// n = 13
// x = { shape = "12 * 13", fill = "uniform(0.4, 1.3)" }
// y = { shape = "13", fill = "zeros" }
// step = 1
// [[also]]
// args = { step = 4 }

// Two places change roles in each iteration.
extern "C" __global__ void places_exchanged(const float *x, float *y, int n, int step)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const float *v = x + 12 * t;
    float s = 1.0f;
    int i = 0, j = 5;
    for (int k = 0; k < 9; ++k) { s = s * 0.6f + sinf(v[i] * s);
     int m = i + step; i = j; j = m % 12; }
    y[t] = s;
}
//--
// kernel = "places_exchanged"
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

// The start of an inner countdown follows from a real value, so it is recorded.
extern "C" __global__ void inner_countdown_start_lost(int n, const float *x, const int *p, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = x[i], r = 0.4f;
    for (int l = 0; l < 2; ++l)
        for (int c = p[(int)(1.5f + sinf(r))] - 1; c >= 0; c--) { s = sinf(s + x[c % n]) + 0.1f * c; r = r * s; }
    y[i] = s * r;
}
//--
// kernel = "inner_countdown_start_lost"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// p = {shape="n", fill="randint(0,4)"}
// y = {shape="n", fill="uniform(-1,1)"}

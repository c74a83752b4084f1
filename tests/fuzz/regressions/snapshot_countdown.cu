// Snapshots of a countdown go by the trip, not by the counter.
extern "C" __global__ void snapshot_countdown(int n, const float *x, const int *p, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = x[i];
    for (int c = 10 * p[i] - 1; c >= 0; c--) s = 0.9f * sinf(s + x[c % n]) + 0.01f * c;
    y[i] = s;
}
//--
// kernel = "snapshot_countdown"
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

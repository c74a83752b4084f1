// An iteration that breaks counts as a trip when it changed something before.
extern "C" __global__ void split_trips_break(int n, const float *x, const int *p, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = x[i];
    int c = p[i];
    while (c) { s = sinf(s * c) * x[i]; c--; if (c == 2) break; }
    y[i] = s;
}
//--
// kernel = "split_trips_break"
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

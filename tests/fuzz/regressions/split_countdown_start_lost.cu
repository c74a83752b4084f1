// A countdown starts at an element that the kernel overwrites later.
extern "C" __global__ void split_countdown_start_lost(int n, float a, const float *x, int *p, float *y)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    a = a * x[i];
    for (int k = p[i]; k >= 0; k -= 3) a = 0.8f * sinf(a + 0.5f) * x[i] + 0.01f * k;
    p[i] = 0;
    y[i] = a * 3.0f;
}
//--
// kernel = "split_countdown_start_lost"
// of = ["y"]
// wrt = ["x", "y"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// a = 0.37
// x = {shape="n", fill="uniform(-1,1)"}
// p = {shape="n", fill="randint(0,4)"}
// y = {shape="n", fill="uniform(-1,1)"}

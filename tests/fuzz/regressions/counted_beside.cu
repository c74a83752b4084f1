// Integers that move along with counters that go down, by two, or by what the launch says.
extern "C" __global__ void counted_beside(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    int p = i, q = 2 * n, r = 0;
    const int step = blockDim.x;
    for (int k = n; k > 2; k--) { v = v * x[p % n] + 0.1f * p; p += 3; }
    for (int k = 1; k < n; k = k + 2) { v = sinf(v) * x[q % n]; q -= 1; }
    for (int k = n; k >= 0; k -= step) { v = v * x[r % n]; if (v > 1.2f) break; r += 2; }
    y[i] = v * (p + q + r);
}
//--
// kernel = "counted_beside"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 11
// x = {shape="n", fill="uniform(0.2,1.3)"}
// y = {shape="n", fill="uniform(-1,1)"}

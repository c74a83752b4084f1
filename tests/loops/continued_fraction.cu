// A continued fraction with its terms in memory, until two are close.
extern "C" __global__ void continued_fraction(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float *v = y + 2 * i;
    do {
        v[0] = v[1];
        v[1] = x[i] / (1.0f + v[0]);
    } while (fabsf(v[1] - v[0]) > 0.01f);
}
//--
// kernel = "continued_fraction"
// of = ["y"]
// wrt = ["y", "x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(0.5, 1.5)" }
// y = { shape = "2 * n", fill = "uniform(0.3, 1.2)" }

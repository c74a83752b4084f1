// A flag ends the loop.
extern "C" __global__ void not_done(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bool done = false;
    while (!done) {
        float d = x[i] * y[2 * i];
        y[2 * i] = y[2 * i] - 0.5f * d;
        y[2 * i + 1] = y[2 * i + 1] * sinf(y[2 * i]);
        if (d < 0.1f) done = true;
    }
}
//--
// kernel = "not_done"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(0.3, 1.2)" }
// y = { shape = "2 * n", fill = "uniform(0.5, 3)" }

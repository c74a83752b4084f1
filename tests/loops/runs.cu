// Decodes run lengths, of which some are zero.
extern "C" __global__ void runs(const float *x, const int *count, float *y, int n, int w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float *v = y + w * i;
    int at = 0, r = 0;
    while (at < w) {
        int c = (r > 3 ? 3 : count[r]);
        for (int k = 0; k < c && at < w; ++k) { v[at] = x[r] * x[r] * (at > 0 ? v[at - 1] : 1.0f); ++at; }
        ++r;
    }
}
//--
// kernel = "runs"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// w = 8
// count = { shape = "n", fill = "randint(0, 4)" }
// x = { shape = "3 * n", fill = "uniform(0.8, 1.1)" }
// y = { shape = "n * w", fill = "zeros" }

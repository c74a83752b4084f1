// Coefficients end with a zero.
extern "C" __global__ void horner_until_zero(const int *deg, const float *c, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int k = 0;
    while (deg[k] != 0) {
        y[2 * i] = y[2 * i] * y[2 * i + 1] + c[k];
        y[2 * i + 1] = y[2 * i + 1] * 0.9f + 0.01f * y[2 * i];
        ++k;
    }
}
//--
// kernel = "horner_until_zero"
// of = ["y"]
// wrt = ["y", "c"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// deg = [3, 2, 7, 1, 5, 0]
// c = { shape = "6", fill = "uniform(0.3, 1.2)" }
// y = { shape = "2 * n", fill = "uniform(0.3, 1.2)" }

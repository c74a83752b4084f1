// Gray codes up to one that is read.
extern "C" __global__ void gray(float *y, const int *end, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int g = 0, k = 0;
    while (g != end[i]) {
        ++k;
        g = k ^ (k >> 1);
        y[2 * i + (k & 1)] = y[2 * i] * sinf(y[2 * i + 1]);
    }
}
//--
// kernel = "gray"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// end = { shape = "n", fill = "randint(0, 7)" }
// y = { shape = "2 * n", fill = "uniform(0.3, 1.2)" }

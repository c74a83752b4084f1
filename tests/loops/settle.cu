// Two numbers of a row shrink until one is small.
extern "C" __global__ void settle(float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    while (y[2 * i] > 1.0f) {
        y[2 * i + 1] = y[2 * i] * sinf(y[2 * i + 1]);
        y[2 * i] = y[2 * i] * 0.5f * sinf(y[2 * i + 1]);
    }
}
//--
// kernel = "settle"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// y = { shape = "2 * n", fill = "uniform(1, 6)" }

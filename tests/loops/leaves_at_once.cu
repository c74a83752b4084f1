// A return in the middle of a loop that nothing bounds.
extern "C" __global__ void leaves_at_once(const int *next, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int j = i;
    while (true) {
        y[2 * i] = y[2 * i] * sinf(y[2 * i + 1]) + 0.2f;
        if (y[2 * i] < 0.3f) return;
        j = next[j];
        if (j < 3) break;
        y[2 * i + 1] = y[2 * i + 1] * 0.9f;
    }
    y[2 * i + 1] = y[2 * i] * y[2 * i];
}
//--
// kernel = "leaves_at_once"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// next = [0, 0, 1, 2, 3, 3, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11, 12, 13, 14, 14, 15, 16, 17, 17, 18, 19, 20, 21, 21, 22, 23, 24, 24, 25, 26, 27, 28, 28, 29, 30]
// y = { shape = "2 * n", fill = "uniform(0.5, 1.4)" }

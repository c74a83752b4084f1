// A loop over what is read, and one that a value ends inside it.
extern "C" __global__ void nested(float *y, const int *rows, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int r = 0; r < rows[i]; ++r) {
        int c = r;
        while (y[4 * i + 1] < 10.0f && c < rows[i + 1]) {
            y[4 * i + 1] = y[4 * i] * sinf(y[4 * i + 1]) + 2.0f * y[4 * i];
            y[4 * i] = 1.1f * y[4 * i];
            ++c;
        }
        y[4 * i + 1] = 0.1f * y[4 * i + 1];
    }
}
//--
// kernel = "nested"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// rows = { shape = "n + 1", fill = "randint(0, 5)" }
// y = { shape = "4 * n", fill = "uniform(0.3, 1.2)" }

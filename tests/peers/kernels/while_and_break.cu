// row: `while`, `break`, Newton iteration
// expected: right
extern "C" __global__ void while_and_break(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = 2.0f + x[i], r = a;
    int k = 0;
    while (true) {
        r = 0.5f * (r + a / r);
        if (++k == 4 + i % 3)
            break;
    }
    y[i] = r;
}
//--
// kernel = "while_and_break"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }

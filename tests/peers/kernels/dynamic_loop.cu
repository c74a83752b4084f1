// row: loops
// expected: right
extern "C" __global__ void dynamic_loop(const float *x, const int *steps, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    for (int k = 0; k < steps[i]; ++k)
        v = sinf(v) + 0.1f * v * v;
    y[i] = v;
}
//--
// kernel = "dynamic_loop"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }
// steps = { shape = "n", fill = "randint(0, 90)" }

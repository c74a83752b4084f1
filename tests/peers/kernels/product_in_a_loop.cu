// row: a product in a dynamic loop
// expected: right
extern "C" __global__ void product_in_a_loop(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float p = 1.0f;
    for (int k = 0; k <= i % 5; ++k)
        p *= x[(i + k) % n];
    y[i] = p;
}
//--
// kernel = "product_in_a_loop"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }

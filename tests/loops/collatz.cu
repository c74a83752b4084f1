// The Collatz sequence says how often.
extern "C" __global__ void collatz(float *y, const int *start, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int k = start[i];
    while (k != 1) {
        if (k % 2 == 0) { k = k / 2; y[2 * i] *= y[2 * i + 1]; }
        else { k = 3 * k + 1; y[2 * i + 1] = sinf(y[2 * i]); }
    }
}
//--
// kernel = "collatz"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// start = { shape = "n", fill = "randint(1, 30)" }
// y = { shape = "2 * n", fill = "uniform(0.8, 1.05)" }

// Euclid's algorithm on what is read.
extern "C" __global__ void euclid(float *y, const unsigned *p, const unsigned *q, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned a = p[i], b = q[i];
    while (b != 0) {
        y[2 * i] = y[2 * i] * y[2 * i + 1] + a / b;
        y[2 * i + 1] = sinf(y[2 * i]);
        unsigned t = a % b; a = b; b = t;
    }
}
//--
// kernel = "euclid"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// p = { shape = "n", fill = "randint(1, 60)" }
// q = { shape = "n", fill = "randint(1, 60)" }
// y = { shape = "2 * n", fill = "uniform(0.3, 1.2)" }

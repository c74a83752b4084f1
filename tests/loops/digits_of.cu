// Digits in a base that is read: nothing says that it is more than one.
extern "C" __global__ void digits_of(const int *value, const int *base, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int k = value[i];
    while (k > 0) {
        y[2 * i] = y[2 * i] * y[2 * i + 1] + 0.1f * (k % base[i]);
        y[2 * i + 1] = sinf(y[2 * i]);
        k /= base[i];
    }
}
//--
// kernel = "digits_of"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// value = { shape = "n", fill = "randint(1, 90)" }
// base = { shape = "n", fill = "randint(2, 5)" }
// y = { shape = "2 * n", fill = "uniform(0.3, 1.2)" }

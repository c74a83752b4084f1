// Goes along a cycle of a permutation.
extern "C" __global__ void permutation_cycle(const int *perm, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int j = perm[i];
    while (j != i) {
        y[2 * i] = y[2 * i] * sinf(y[2 * i + 1]) + 0.01f * j;
        y[2 * i + 1] = y[2 * i + 1] + 0.1f * y[2 * i];
        j = perm[j];
    }
}
//--
// kernel = "permutation_cycle"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// perm = { shape = "n", fill = "permutation" }
// y = { shape = "2 * n", fill = "uniform(0.3, 1.2)" }

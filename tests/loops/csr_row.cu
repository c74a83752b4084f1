// A row of a sparse matrix, updated in place.
extern "C" __global__ void csr_row(const int *ptr, const int *col, const float *a, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float *v = y + 4 * i;
    for (int e = ptr[i]; e < ptr[i + 1]; ++e) {
        v[1] = v[0] * a[e] + sinf(v[1]);
        v[0] = v[1] * a[e] + 0.1f * col[e];
    }
}
//--
// kernel = "csr_row"
// of = ["y"]
// wrt = ["a", "y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// ptr = [0, 0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 4, 5, 6, 7, 9, 10, 11, 12, 14, 16, 17, 19, 21, 23, 25, 27, 29, 31, 33, 36, 38, 40, 43, 46, 49, 51, 54, 57, 60, 64]
// col = { shape = "64", fill = "randint(0, 3)" }
// a = { shape = "64", fill = "uniform(0.3, 1.2)" }
// y = { shape = "4 * n", fill = "uniform(0.3, 1.2)" }

// Both a loop and the one around it are measured.
extern "C" __global__ void loops_in_loops(const int *p, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float *v = y + 2 * i;
    for (int r = p[i]; r != 1; r = r % 2 ? 3 * r + 1 : r / 2) {
        int k = r;
        while (k % 3 != 0) { v[0] = v[0] * sinf(v[1]) + 0.3f; ++k; }
        v[1] = v[1] * cosf(v[0]);
    }
}
//--
// kernel = "loops_in_loops"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// p = { shape = "n", fill = "randint(1, 9)" }
// y = { shape = "2 * n", fill = "uniform(0.3, 1.2)" }

// Two loops that nothing bounds, one after the other.
extern "C" __global__ void two_loops(const int *p, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float *v = y + 3 * i;
    int k = p[i];
    while (k != 1) { v[0] = v[0] * sinf(v[1]) + 0.3f; k = k % 2 ? 3 * k + 1 : k / 2; }
    while (v[2] < 4.0f) { v[1] = v[1] * cosf(v[0]) + 0.1f; v[2] = 1.6f * v[2] + 0.1f * v[1]; }
}
//--
// kernel = "two_loops"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// p = { shape = "n", fill = "randint(1, 12)" }
// y = { shape = "3 * n", fill = "uniform(0.3, 1.2)" }

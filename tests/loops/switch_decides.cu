// What a switch does to the counter decides how often the loop runs: no segment runs into the next.
extern "C" __global__ void switch_decides(const float *x, float *y, const int *idx, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int q[6];
    for (int k = 0; k < 6; ++k)
        q[k] = idx[(i + k) % n] & 3;
    int p = 1 + q[0];
    while (p != 0) {
        switch (q[p % 6]) {
        case 0:
            p = p - 1;
            break;
        case 1:
            p = p >= 3 ? p - 3 : 0;
            break;
        case 2:
            p = p / 2;
            break;
        default:
            p = p > 5 ? 0 : p - 1;
        }
        y[4 * i + (p & 3)] = sinf(y[4 * i + (p & 3)]) * (x[i] + 0.1f * p);
    }
}
//--
// kernel = "switch_decides"
// of = ["y"]
// wrt = ["y", "x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(0.4, 1.3)" }
// idx = { shape = "n", fill = "randint(0, 64)" }
// y = { shape = "4 * n", fill = "uniform(0.3, 1.2)" }

// The element that the loop changes may be the one that it reads beside it.
extern "C" __global__ void element_beside(float *u, const int *which, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    while (u[2 * i] > 0.2f)
        u[2 * i] = 0.5f * u[2 * i] * u[2 * i + which[i]];
}
//--
// kernel = "element_beside"
// of = ["u"]
// wrt = ["u"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// u = { shape = "2 * n", fill = "uniform(0.5, 0.95)" }
// which = { shape = "n", fill = "randint(0, 2)" }

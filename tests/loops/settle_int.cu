// Integers in memory are the state; they index a table.
extern "C" __global__ void settle_int(const float *table, int *at, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = 1.0f;
    while (at[2 * i] > 1) {
        at[2 * i + 1] = at[2 * i] % n;
        v *= v * table[at[2 * i + 1]];
        at[2 * i] = at[2 * i] / 2 - at[2 * i + 1];
    }
    y[i] = v;
}
//--
// kernel = "settle_int"
// of = ["y"]
// wrt = ["table"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// table = { shape = "n", fill = "uniform(0.3, 1.2)" }
// at = { shape = "2 * n", fill = "randint(2, 40)" }
// y = { shape = "n", fill = "zeros" }

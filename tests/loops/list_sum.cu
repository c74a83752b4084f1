// A list that is linked by indices, with a record in memory.
extern "C" __global__ void list_sum(const float *x, const int *head, const int *next, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[2 * i] = 1.0f;
    for (int j = head[i]; j >= 0; j = next[j]) {
        y[2 * i] = y[2 * i] * sinf(x[j]) + 0.5f;
        y[2 * i + 1] = y[2 * i] * x[i];
    }
    y[2 * i + 1] += y[2 * i] * x[i];
}
//--
// kernel = "list_sum"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(0.3, 1.2)" }
// head = { shape = "n", fill = "randint(-1, 8)" }
// next = [3, 2, 5, 4, 6, -1, 7, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
// y = { shape = "2 * n", fill = "uniform(0.3, 1.2)" }

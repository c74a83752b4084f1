// Nothing says that a short counter doesn't wrap but the data: no tape of 32768 elements for it.
extern "C" __global__ void short_counter(float *y, const int *last, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *v = y + 8 * i;
    int len = 2 + last[i] % 7;
    for (short start = 0; start < len - 1; ++start)
        for (short j = start + 1; j < len; ++j)
            v[start] = v[start] * v[j] + 0.5f * v[j];
}
//--
// kernel = "short_counter"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// last = { shape = "n", fill = "randint(0, 64)" }
// y = { shape = "8 * n", fill = "uniform(0.3, 1.2)" }

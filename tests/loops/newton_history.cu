// Newton's iteration keeps its iterates until one is good enough.
extern "C" __global__ void newton_history(const float *a, float *hist, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float *h = hist + 64 * i;
    int k = 0;
    h[0] = a[i];
    while (fabsf(h[k] * h[k] - a[i]) > 1e-3f) {
        h[k + 1] = h[k] - 0.5f * (h[k] * h[k] - a[i]) / h[k];
        ++k;
    }
}
//--
// kernel = "newton_history"
// of = ["hist"]
// wrt = ["a"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// a = { shape = "n", fill = "uniform(2, 9)" }
// hist = { shape = "64 * n", fill = "zeros" }

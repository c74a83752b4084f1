// a loop that never runs, by a literal: its tape has an element all the same
extern "C" __global__ void loop_that_never_runs(const float *x, float *y, const float *a, int n, float alpha) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = x[i], p = alpha;
    for (int j = 0; j != 0; ++j) {
        for (unsigned steps = 0; steps != j; ++steps) {
            p = 0.7f * tanhf(p * (p + alpha));
            s = 0.15f * (s * a[j] > p ? s * fabsf(p) : s + alpha);
        }
    }
    y[i] = 0.5f * (s + s + p);
}
//--
// kernel = "loop_that_never_runs"
// of = ["y"]
// wrt = ["x", "a"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 7
// x = { shape = 8, fill = "normal" }
// y = { shape = 8, fill = "zeros" }
// a = { shape = 4, fill = "normal" }
// alpha = 0.4

// A ring buffer that is refilled while values are large.
extern "C" __global__ void ring(const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float q[80];
    for (int k = 0; k < 80; ++k) q[k] = x[i];
    int head = 0, tail = 5;
    while (head != tail) {
        float v = q[head];
        head = (head + 1) % 80;
        y[i] += v * v;
        if (v > 0.1f) { q[tail] = 0.5f * v; tail = (tail + 1) % 80; }
    }
}
//--
// kernel = "ring"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// m = 1
// x = { shape = "n", fill = "uniform(0.2, 0.5)" }
// y = { shape = "n", fill = "zeros" }

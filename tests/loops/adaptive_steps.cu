// Steps that are halved when they fail; each accepted one is stored.
extern "C" __global__ void adaptive_steps(float *y, const float *h0, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float *v = y + 2 * i;
    float t = 0.0f, h = h0[i];
    while (t < 1.0f) {
        float d = h * sinf(v[0]) * v[1];
        if (d > 0.2f) { h = 0.5f * h; continue; }
        v[0] = v[0] + d;
        v[1] = v[1] * (1.0f - 0.1f * d);
        t += h;
        h = 1.5f * h;
    }
}
//--
// kernel = "adaptive_steps"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// h0 = { shape = "n", fill = "uniform(0.2, 0.8)" }
// y = { shape = "2 * n", fill = "uniform(0.3, 1.2)" }

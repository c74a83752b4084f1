// Loops that run once or never, with exits of every kind inside.
#define STEP(v) do { if ((v) > 1.0f) break; v *= x[i]; if ((v) < 0.2f) continue; v += 0.5f * x[i]; } while (0)
__device__ float once(float a, int m)
{
    float v = a * a;
    do {
        if (m % 3 == 0) break;
        v = v * a;
        if (m % 3 == 1) return v;
        v = sinf(v);
    } while (false);
    while (v < 1.0f) {
        v = v * a + 1.0f;
        if (m % 2) return v * v;
        break;
    }
    return v * a;
}
extern "C" __global__ void runs_once(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    STEP(v);
    for (; 0;) v = 2.0f;
    while (0) { v = v * v; }
    for (int k = 0; k < 4; k++) {
        STEP(v);
        do { if (v > 1.7f) break; v = v * v; do { v += x[i]; } while (0); } while (0);
        while (1) {
            if (k % 2) { v = sinf(v); break; }
            v = v * x[i];
            break;
        }
        if (k == 2) continue;
        v = cosf(v);
    }
    for (int j = i; j < n; j++) { v += x[j] * v; break; }
    y[i] = v + once(x[i], i);
}
//--
// kernel = "runs_once"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 11
// x = {shape="n", fill="uniform(0.2,1.3)"}
// y = {shape="n", fill="uniform(-1,1)"}

// Segments too long to be written twice fall through, the default in the middle; the selector changes.
extern "C" __global__ void switch_long_fall(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    int s = i % 7;
    switch (s) {
    case 5:
        v = v * v;
        s = 1;
    case 4:
        for (int k = 0; k < 3; k++) v = sinf(v) * x[i];
        if (v > 0.6f) break;
        v += x[i] * x[i];
    default:
        v = v * x[i] + s;
        s = 4;
    case 1:
        for (int k = 0; k < 2; k++) { v = v * v; if (v > 3.0f) break; }
    case 0:
        v = v * x[i];
        break;
    case 2:
        for (int k = 0; k < 2; k++) v = v * x[i];
    case 3:
        v = cosf(v) * x[i];
    }
    y[i] = v * (s + 1);
}
//--
// kernel = "switch_long_fall"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 11
// x = {shape="n", fill="uniform(0.2,1.3)"}
// y = {shape="n", fill="uniform(-1,1)"}

// What follows a switch is met from one case, from none, or from some.
__device__ float pick(float a, int k)
{
    switch (k % 4) {
    case 0: return a * a;
    case 1:
    case 2: { if (a > 0.7f) return sinf(a); return a * 3.0f; }
    }
    a = a * a * 0.5f;
    return a;
}
__device__ float all(float a, int k)
{
    switch (k % 3) {
    case 0: a = a * a;
    case 1: return a * 2.0f;
    default: return cosf(a);
    }
}
extern "C" __global__ void switch_exits(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = pick(x[i], i) + all(x[i], i);
    for (int k = 0; k < 5; k++) {
        switch ((i + k) % 5) {
        case 0: continue;
        case 1: v = v * x[i];
        case 2: if (v > 1.0f) break; v = sinf(v); break;
        case 3: switch (k) { case 1: continue; default: v += x[i] * v; } 
        default: v = v * 0.5f; continue;
        }
        if (v > 4.0f) break;
        v = v * v;
    }
    switch (i % 3) {
    case 0: y[i] = v; return;
    case 1: v = v * v; break;
    default: return;
    }
    y[i] = sinf(v);
}
//--
// kernel = "switch_exits"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 11
// x = {shape="n", fill="uniform(0.2,1.3)"}
// y = {shape="n", fill="uniform(-1,1)"}

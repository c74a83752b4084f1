// A countdown that is left early by a floating condition.
extern "C" __global__ void countdown_left(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    for (int k = n; k >= 0; k--) { if (v > 0.9f) break; v = v + 0.3f * v * x[i]; }
    y[i] = v;
}
//--
// kernel = "countdown_left"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 11
// x = {shape="n", fill="uniform(0.2,1.3)"}
// y = {shape="n", fill="uniform(-1,1)"}

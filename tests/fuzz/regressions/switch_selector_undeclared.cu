// A switch that runs again inside a reversed loop had a selector that stood nowhere.
extern "C" __global__ void switch_selector_undeclared(int n, int m, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float t = x[i];
    for (int k = 0; k < m; ++k) {
        switch (k) { case 1: t = t * t * x[i]; break; case 2: t = t * 0.5f * x[i]; default: ; }
    }
    y[i] = t;
}
//--
// kernel = "switch_selector_undeclared"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// m = 3
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}

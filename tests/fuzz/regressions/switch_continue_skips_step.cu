// A continue in a case, of a loop that is left elsewhere and whose step does more than count.
extern "C" __global__ void switch_continue_skips_step(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    for (int j = 0; j < 5; v *= 1.1f, j++) {
        switch ((j + i) % 3) {
        case 0: continue;
        case 1: v += x[i]; break;
        default: if (v > 0.9f) continue; v = sinf(v);
        }
        if (v > 2.3f) break;
        v *= x[i];
    }
    y[i] = v;
}
//--
// kernel = "switch_continue_skips_step"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 11
// x = {shape="n", fill="uniform(0.2,1.3)"}
// y = {shape="n", fill="uniform(-1,1)"}

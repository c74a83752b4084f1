// A case returns from inside a loop, under a condition; the next case must not follow.
__device__ float settle(float a, int m)
{
    float v = a;
    for (int j = 0; j < 4; j++) {
        switch ((m + j) % 3) {
        case 0:
            if (v > 0.5f) return v * 2.0f;
            v = v * v;
            break;
        case 1:
            v = sinf(v) * 3.0f;
            break;
        default:
            v += a;
        }
    }
    return v;
}
extern "C" __global__ void switch_return_in_loop(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = settle(x[i], i);
}
//--
// kernel = "switch_return_in_loop"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 11
// x = {shape="n", fill="uniform(0.2,1.3)"}
// y = {shape="n", fill="uniform(-1,1)"}

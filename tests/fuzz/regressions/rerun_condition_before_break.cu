// A branch that may break does something first: run again, it has to be decided.
__device__ float before_break(int o, float acc)
{
    int steps = 3;
    while (steps-- > 0) {
        acc = 0.24f * cosf(acc * acc);
        float q[4];
        for (int q0 = 0; q0 < 4; ++q0) {
            q[q0] = acc * q0;
        }
        if (steps % 2 == 0 && q[o] > 0.1f) {
            acc = 0.5f;
            if (acc <= q[o + 1]) {
                break;
            }
        }
    }
    return cosf(acc * acc);
}

extern "C" __global__ void rerun_condition_before_break(float *y, const float *x, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    y[i] = before_break(i % 3, x[i]);
}

//--
// kernel = "rerun_condition_before_break"
// of = ["y"]
// wrt = ["x", "y"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// y = {shape="n", fill="uniform(-1,1)"}
// x = {shape="n", fill="uniform(-1,1)"}
// n = 7

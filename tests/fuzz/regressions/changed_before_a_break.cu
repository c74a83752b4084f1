// A variable that a loop changes only before its `break` enters each iteration as it entered the loop.
extern "C" __global__ void changed_before_a_break(double dt, int n, const float *x, float *y, const int *cnt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double h = y[i] * dt;
    int rounds = 0;
    while (rounds < 2 && (cnt[i % 3] > 1 || dt < 0.0f)) {
        rounds += 1;
        float e[2];
        for (int q = 0; q < 2; ++q)
            e[q] = dt * x[q];
        if (cnt[2] > 0) {
            for (int k = 0; k < 3; k++) {
                float left = h * y[i];
                y[i] = e[i % 2] * x[i];
                for (int o = 0; o < cnt[k] % 3; o++) {
                    e[cnt[i] % 2] = 0.7f * cosf(left * h + (y[i] - dt));
                    dt = 0.7 * dt;
                }
            }
            break;
        }
    }
}
//--
// kernel = "changed_before_a_break"
// of = ["y"]
// wrt = ["dt", "x", "y"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 7
// dt = -0.739
// x = {shape="n", fill="uniform(0.1,1)"}
// y = {shape="n", fill="uniform(0.1,1)"}
// cnt = {shape="n", fill="randint(1,4)"}

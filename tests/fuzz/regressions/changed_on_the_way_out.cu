// What a loop changes only before it is left is read, in the iterations that count again, as it came in.
extern "C" __global__ void changed_on_the_way_out(const float *x, float *y, float *z, float beta, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int j = 0; j < m; ++j) {
        beta = 0.8f * sinf(beta + j + x[i]);
        int ii = 0;
        while (ii++ < 1) {
            y[i] = beta * x[i];
            for (int o = 0; o < j; o += 3) {
                if (sinf(5.0f * beta) < 0.0f) {
                    if (x[0] > 0.0f)
                        beta = 1.0f;
                    return;
                }
            }
        }
    }
    z[i] = beta;
}
//--
// kernel = "changed_on_the_way_out"
// of = ["y", "z"]
// wrt = ["x", "beta"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 13
// m = 2
// beta = -0.3
// x = {shape="n", fill="uniform(0.1,3)"}
// y = {shape="n", fill="uniform(-1,1)"}
// z = {shape="n", fill="uniform(-1,1)"}

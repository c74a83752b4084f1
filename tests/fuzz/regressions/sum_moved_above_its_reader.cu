// What is owed to an element from before a statement must not come in where that statement takes its seed.
extern "C" __global__ void sum_moved_above_its_reader(int n, const float *w, float *u, float *y)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    __shared__ double s[16];
    for (int q = t; q < 16; q += blockDim.x) s[q] = w[q % n];
    double v = s[t];
    s[t] += sinf(s[t]);
    if (i < n) {
        float g = u[i];
        u[i] += sinf(u[i]);
        if (i > 1) y[i] = v * g;
    }
}
//--
// kernel = "sum_moved_above_its_reader"
// of = ["y", "u"]
// wrt = ["u", "w"]
// [launch]
// grid = 2
// block = 8
// [args]
// n = 13
// w = {shape="n", fill="uniform(-1,1)"}
// u = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}

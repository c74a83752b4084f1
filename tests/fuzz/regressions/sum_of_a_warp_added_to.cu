// A warp's sum that every lane uses, in a variable that is added to afterwards: only the first lane's was thought used.
extern "C" __global__ void sum_of_a_warp_added_to(const float *x, const float *c, float *y, float *z, int n)
{
    int t = threadIdx.x;
    float a = x[t];
    for (int o = 16; o > 0; o >>= 1)
        a += __shfl_down_sync(0xffffffffu, a, o);
    a += 0.5f * c[2];
    y[t] = a;
    float v = 0.25f;
    for (int r = t / 32; r < 3; r += 2) {
        float b = x[t] * c[r];
        for (int o = 16; o > 0; o >>= 1)
            b += __shfl_down_sync(0xffffffffu, b, o);
        v += b;
    }
    v -= c[1] * x[t];
    z[t] = v;
}
//--
// kernel = "sum_of_a_warp_added_to"
// of = ["y", "z"]
// wrt = ["x", "c"]
// [launch]
// grid = 1
// block = 64
// [args]
// n = 64
// x = { shape = "n", fill = "normal" }
// c = { shape = "3", fill = "normal" }
// y = { shape = "n", fill = "zeros" }
// z = { shape = "n", fill = "zeros" }

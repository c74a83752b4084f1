// More iterations than the variable has bits.
extern "C" __global__ void all_bits_shifted_out(const float *x, float *y, int n)
{
    int t = threadIdx.x;
    float acc = 0;
    __shared__ float s[16];
    unsigned u = n;
    for (int k = 0; k < 40; ++k) {
        acc = 0.5f * sinf(acc + x[t] * (u % 7));
        u >>= 1;
    }
    y[t] = acc;
}
//--
// kernel = "all_bits_shifted_out"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 1
// block = 4
// [args]
// x = {shape="16", fill="uniform(0.2,1.2)"}
// y = {shape="32", fill="uniform(-1,1)"}
// n = 1000

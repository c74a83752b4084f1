// 32 bits are eleven times three.
extern "C" __global__ void three_bits_at_a_time(const float *x, float *y, int n)
{
    int t = threadIdx.x;
    float acc = 0;
    __shared__ float s[16];
    for (unsigned u = n; u > 0; u /= 8) acc = 0.5f * sinf(acc + x[t] * (u % 7));
    y[t] = acc;
}
//--
// kernel = "three_bits_at_a_time"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 1
// block = 4
// [args]
// x = {shape="16", fill="uniform(0.2,1.2)"}
// y = {shape="32", fill="uniform(-1,1)"}
// n = 2000000000

// A narrow counter that wraps, and is asked for once: what it was is cut to its type.
extern "C" __global__ void narrow_counter_read_once(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float *c = x + 4 * i;
    float q = 0.5f;
    for (unsigned char j = 250; j != 3; ++j)
        q = 0.5f * q * q + c[j >> 6];
    y[i] = q;
}
//--
// kernel = "narrow_counter_read_once"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 31) / 32"
// block = 32
// [args]
// n = 37
// x = {shape="4 * n", fill="uniform(-1,1)"}
// y = {shape="n", fill="zeros"}

// A loop that walks down the column.
extern "C" __global__ void column_walked(const float *x, float *y, int n)
{
    __shared__ float s[4 * 32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < 4; ++k) s[k * 32 + t] = x[i * 4 + k];
    float a = 0.0f;
    int p = t;
    while (p < 96) { a += s[p] * s[p + 32]; p += 32; }
    y[i] = a;
}
//--
// kernel = "column_walked"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

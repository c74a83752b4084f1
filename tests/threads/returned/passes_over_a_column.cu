// A column filled again in each of a number of passes.
extern "C" __global__ void passes_over_a_column(const float *x, float *y, int n)
{
    __shared__ float s[4][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = 0.0f;
    for (int p = 0; p < n / 8; ++p) {
        for (int k = 0; k < 4; ++k) s[k][threadIdx.x] = x[(i + p) * 4 + k];
        for (int k = 1; k < 4; ++k) a += s[k][threadIdx.x] * s[k - 1][threadIdx.x];
    }
    y[i] = a;
}
//--
// kernel = "passes_over_a_column"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

// Two arrays of columns: a tridiagonal system for each thread.
extern "C" __global__ void tridiagonal_columns(const float *x, float *y, int n)
{
    __shared__ float c[4][32], d[4][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    c[0][threadIdx.x] = x[i * 4] / 3.0f; d[0][threadIdx.x] = x[i] / 3.0f;
    for (int k = 1; k < 4; ++k) {
        float m = 3.0f - 0.5f * c[k - 1][threadIdx.x];
        c[k][threadIdx.x] = x[i * 4 + k] / m;
        d[k][threadIdx.x] = (x[i + k] - 0.5f * d[k - 1][threadIdx.x]) / m;
    }
    for (int k = 2; k >= 0; --k) d[k][threadIdx.x] -= c[k][threadIdx.x] * d[k + 1][threadIdx.x];
    y[i] = d[0][threadIdx.x];
}
//--
// kernel = "tridiagonal_columns"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

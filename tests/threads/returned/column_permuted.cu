// Elements of a column stored at places that the thread gives.
extern "C" __global__ void column_permuted(const float *x, float *y, int n)
{
    __shared__ float s[4][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < 4; ++k) s[k][threadIdx.x] = x[i * 4 + k];
    for (int k = 0; k < 4; ++k) { int p = (i * 3 + k) & 3; s[p][threadIdx.x] = s[k][threadIdx.x] * s[p][threadIdx.x]; }
    y[i] = s[0][threadIdx.x] + s[2][threadIdx.x];
}
//--
// kernel = "column_permuted"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

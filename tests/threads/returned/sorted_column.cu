// Each thread sorts its column.
extern "C" __global__ void sorted_column(const float *x, float *y, int n)
{
    __shared__ float s[4][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < 4; ++k) s[k][threadIdx.x] = x[i * 4 + k];
    for (int a = 0; a < 3; ++a) for (int b = 0; b < 3 - a; ++b)
        if (s[b][threadIdx.x] > s[b + 1][threadIdx.x]) { float h = s[b][threadIdx.x]; s[b][threadIdx.x] = s[b + 1][threadIdx.x]; s[b + 1][threadIdx.x] = h; }
    y[i] = s[1][threadIdx.x] * s[2][threadIdx.x];
}
//--
// kernel = "sorted_column"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

// Each thread eliminates a matrix of its own.
extern "C" __global__ void eliminated_column(const float *x, float *y, int n)
{
    __shared__ float s[9][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < 9; ++k) s[k][threadIdx.x] = x[i * 9 + k] + (k % 4 == 0 ? 3.0f : 0.0f);
    for (int p = 0; p < 3; ++p)
        for (int r = p + 1; r < 3; ++r) {
            float f = s[r * 3 + p][threadIdx.x] / s[p * 3 + p][threadIdx.x];
            for (int c = p; c < 3; ++c) s[r * 3 + c][threadIdx.x] -= f * s[p * 3 + c][threadIdx.x];
        }
    y[i] = s[0][threadIdx.x] * s[4][threadIdx.x] * s[8][threadIdx.x];
}
//--
// kernel = "eliminated_column"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

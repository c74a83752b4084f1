// The place of the largest element of a column.
extern "C" __global__ void column_by_a_value(const float *x, float *y, int n)
{
    __shared__ float s[4][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < 4; ++k) s[k][threadIdx.x] = x[i * 4 + k];
    int b = 0;
    for (int k = 1; k < 4; ++k) if (s[k][threadIdx.x] > s[b][threadIdx.x]) b = k;
    y[i] = s[b][threadIdx.x] * s[0][threadIdx.x];
}
//--
// kernel = "column_by_a_value"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

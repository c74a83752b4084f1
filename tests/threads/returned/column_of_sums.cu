// Atomic additions to a column.
extern "C" __global__ void column_of_sums(const float *x, float *y, int n)
{
    __shared__ float s[4][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < 4; ++k) s[k][threadIdx.x] = 0.0f;
    for (int k = 0; k < 9; ++k) atomicAdd(&s[(k * i) % 4][threadIdx.x], x[i * 4 + k % 4]);
    y[i] = s[1][threadIdx.x] * s[2][threadIdx.x];
}
//--
// kernel = "column_of_sums"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

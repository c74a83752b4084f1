// Rows in a block of two dimensions.
extern "C" __global__ void rows_of_a_plane(const float *x, float *y, int n)
{
    __shared__ float s[8][8 * 4];
    int i = blockIdx.x * 8 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
    if (i >= n || j >= n) return;
    for (int k = 0; k < 4; ++k) s[threadIdx.y][threadIdx.x * 4 + k] = x[(j * n + i) * 4 + k];
    for (int k = 1; k < 4; ++k) s[threadIdx.y][threadIdx.x * 4 + k] += s[threadIdx.y][threadIdx.x * 4 + k - 1] * s[threadIdx.y][threadIdx.x * 4 + k];
    y[j * n + i] = s[threadIdx.y][threadIdx.x * 4 + 3] * s[threadIdx.y][threadIdx.x * 4];
}
//--
// kernel = "rows_of_a_plane"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = [2, 2]
// block = [8, 8]
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 10

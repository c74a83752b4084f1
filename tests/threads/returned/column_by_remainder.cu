// The column is the thread's number modulo its width.
extern "C" __global__ void column_by_remainder(const float *x, float *y, int n)
{
    __shared__ float s[4][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int c = threadIdx.x % 32;
    for (int k = 0; k < 4; ++k) s[k][c] = x[i * 4 + k];
    for (int k = 1; k < 4; ++k) s[k][c] += s[k][c] * s[k - 1][c];
    y[i] = s[3][c];
}
//--
// kernel = "column_by_remainder"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

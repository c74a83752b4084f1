// Two elements of a row, at places that the thread gives.
extern "C" __global__ void row_by_an_index(const float *x, float *y, int n)
{
    __shared__ float s[32 * 4];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < 4; ++k) s[t * 4 + k] = x[i * 4 + k];
    int j = i % 4;
    y[i] = s[t * 4 + j] * s[t * 4 + (j + 1) % 4];
}
//--
// kernel = "row_by_an_index"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

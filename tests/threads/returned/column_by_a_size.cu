// Two elements of a column, at places that a parameter gives.
extern "C" __global__ void column_by_a_size(const float *x, float *y, int n)
{
    __shared__ float s[4 * 32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < 4; ++k) s[k * 32 + t] = x[i * 4 + k];
    int j = n % 4;
    y[i] = s[j * 32 + t] * s[((j + 1) % 4) * 32 + t];
}
//--
// kernel = "column_by_a_size"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

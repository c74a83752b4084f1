// A ring buffer in each column.
extern "C" __global__ void ring_in_a_column(const float *x, float *y, int n)
{
    __shared__ float s[4][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < 4; ++k) s[k][threadIdx.x] = 0.0f;
    float a = 0.0f;
    for (int k = 0; k < 9; ++k) { s[k % 4][threadIdx.x] = x[i] * (k + 1) + 0.3f * s[(k + 3) % 4][threadIdx.x]; a += s[(k + 1) % 4][threadIdx.x] * s[k % 4][threadIdx.x]; }
    y[i] = a;
}
//--
// kernel = "ring_in_a_column"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

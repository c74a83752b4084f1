// Two returns, one by the place in the block.
extern "C" __global__ void returns_by_block_and_by_size(const float *x, float *y, int n)
{
    __shared__ float s[4 * 32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (t >= 30) return;
    for (int k = 0; k < 4; ++k) s[k * 32 + t] = x[i * 4 + k];
    float a = 0.0f;
    for (int k = 0; k < 4; ++k) a += s[k * 32 + t] * s[((k + 1) % 4) * 32 + t];
    y[i] = a;
}
//--
// kernel = "returns_by_block_and_by_size"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

// A column that is used in a branch alone.
extern "C" __global__ void column_in_a_branch(const float *x, float *y, int n)
{
    __shared__ float s[4][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = 0.0f;
    if (x[i] > 0.5f) {
        for (int k = 0; k < 4; ++k) s[k][threadIdx.x] = x[i * 4 + k];
        for (int k = 0; k < 4; ++k) a += s[k][threadIdx.x] * s[3 - k][threadIdx.x];
    }
    y[i] = a;
}
//--
// kernel = "column_in_a_branch"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

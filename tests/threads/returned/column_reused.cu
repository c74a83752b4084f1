// A column that iterations change.
extern "C" __global__ void column_reused(const float *x, float *y, int n)
{
    __shared__ float s[4][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < 4; ++k) s[k][threadIdx.x] = (float)k;
    float a = 0.0f;
    for (int it = 0; it < 3; ++it) { for (int k = 0; k < 4; ++k) a += x[i] * s[k][threadIdx.x] * s[k][threadIdx.x];
      for (int k = 0; k < 4; ++k) s[k][threadIdx.x] += a; }
    y[i] = a;
}
//--
// kernel = "column_reused"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40

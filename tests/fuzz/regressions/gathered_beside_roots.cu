// The same where singular points are guarded: of sqrtf, cbrtf, hypotf and powf.
extern "C" __global__ void gathered_beside_roots(int n, const float *x, const float *y, float *out)
{
    __shared__ float tile[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? y[i] : 0.5f, acc = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
    for (int t = 0; t < gridDim.x; ++t) {
        int j = t * 4 + threadIdx.x;
        tile[threadIdx.x] = j < n ? x[j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 4; ++k)
            acc += tile[k] * sqrtf(v + 3.0f);
        for (int k = 0; k < 4; ++k)
            b += tile[k] * cbrtf(v + 2.0f);
        for (int k = 0; k < 4; ++k)
            c += tile[k] * hypotf(v, 0.4f);
        for (int k = 0; k < 4; ++k)
            d += tile[k] * powf(v + 3.0f, 1.7f);
        __syncthreads();
    }
    if (i < n)
        out[i] = acc + b * c - d;
}
//--
// kernel = "gathered_beside_roots"
// of = ["out"]
// wrt = ["x", "y"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 7
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
// out = {shape="n", fill="uniform(-1,1)"}

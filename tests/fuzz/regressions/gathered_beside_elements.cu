// A thread's own local array is added to under a condition beside a gathered sum.
extern "C" __global__ void gathered_beside_elements(int n, const float *x, const float *y, float *out)
{
    __shared__ float tile[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[2] = {i < n ? y[i] : 0.0f, 0.4f}, acc = 0.0f;
    for (int t = 0; t < gridDim.x; ++t) {
        int j = t * 4 + threadIdx.x;
        tile[threadIdx.x] = j < n ? x[j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 4; ++k)
            acc += tile[k] * fminf(v[0], 0.3f) * fabsf(v[1] - v[0]);
        __syncthreads();
    }
    if (i < n)
        out[i] = acc;
}
//--
// kernel = "gathered_beside_elements"
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

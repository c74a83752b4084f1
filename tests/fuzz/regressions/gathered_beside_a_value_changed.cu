// What is changed in each iteration, without being added to, stays beside a gathered sum.
extern "C" __global__ void gathered_beside_a_value_changed(int n, const float *x, const float *y, float *out)
{
    __shared__ float tile[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? y[i] : 0.0f, acc = 0.0f, g = v;
    for (int t = 0; t < gridDim.x; ++t) {
        int j = t * 4 + threadIdx.x;
        tile[threadIdx.x] = j < n ? x[j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 4; ++k) {
            acc += 0.3f * tile[k];
            g *= 0.5f;
        }
        __syncthreads();
    }
    if (i < n)
        out[i] = acc + g;
}
//--
// kernel = "gathered_beside_a_value_changed"
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

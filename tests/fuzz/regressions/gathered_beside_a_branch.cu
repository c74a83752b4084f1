// Two sums of a thread's own, each under an `if`, beside one that is gathered.
extern "C" __global__ void gathered_beside_a_branch(int n, const float *x, const float *y, float *out)
{
    __shared__ float tile[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? y[i] : 0.0f, w = v * v, acc = 0.0f, b = 0.0f;
    for (int t = 0; t < gridDim.x; ++t) {
        int j = t * 4 + threadIdx.x;
        tile[threadIdx.x] = j < n ? x[j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 4; ++k) {
            float s = tile[k];
            if (v > 0.1f)
                s *= v;
            else
                s *= sinf(w);
            acc += s;
            if (w > 0.3f)
                b += s * w;
        }
        __syncthreads();
    }
    if (i < n)
        out[i] = acc + 0.5f * b;
}
//--
// kernel = "gathered_beside_a_branch"
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

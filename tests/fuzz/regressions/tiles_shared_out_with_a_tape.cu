// Another block's sums need what its threads recorded, which this block can't find.
// assume covers:n
extern "C" __global__ void tiles_shared_out_with_a_tape(int n, const float *x, const float *w, float *y, float c)
{
    __shared__ float xs[8];
    int t = threadIdx.x;
    int i = blockIdx.x * 8 + t;
    float u[2];
    u[0] = i < n ? w[i] : 0.5f;
    u[1] = c;
    float v = u[0];
    float sum = v, rest = v;
    for (int first = 0; first < n; first += 8) {
        int j = first + 7 - t;
        xs[t] = j < n ? x[j] : 0.0f;
        __syncthreads();
        for (int q = 0; q < 8; ++q) {
            if (v > 0.3f) rest *= 0.8f;
            sum += 0.5f * xs[q] * sqrtf(v + 3.0f);
        }
        __syncthreads();
    }
    if (i < n)
        y[i] = sum * rest;
}
//--
// kernel = "tiles_shared_out_with_a_tape"
// of = ["y"]
// wrt = ["x", "w"]
// [launch]
// grid = "(n + 7) / 8"
// block = 8
// [args]
// n = 16
// x = {shape="n", fill="uniform(-1,1)"}
// w = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="zeros"}
// c = 0.15

// Tiles of two dimensions, whose products are bounded by a value of the thread's own.
extern "C" __global__ void gathered_in_two_dimensions(int n, const float *a, const float *b, const float *y, float *out)
{
    __shared__ float s[4][4];
    __shared__ float r[4][4];
    int row = blockIdx.y * 4 + threadIdx.y, col = blockIdx.x * 4 + threadIdx.x;
    float v = row < n && col < n ? y[row * n + col] : 0.0f, acc = 0.0f;
    for (int t = 0; t < n; t += 4) {
        s[threadIdx.y][threadIdx.x] = row < n && t + threadIdx.x < n ? a[row * n + t + threadIdx.x] : 0.0f;
        r[threadIdx.y][threadIdx.x] = t + threadIdx.y < n && col < n ? b[(t + threadIdx.y) * n + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 4; ++k)
            acc += s[threadIdx.y][k] * r[k][threadIdx.x] * fmaxf(v, 0.1f);
        __syncthreads();
    }
    if (row < n && col < n)
        out[row * n + col] = acc;
}
//--
// kernel = "gathered_in_two_dimensions"
// of = ["out"]
// wrt = ["a", "b", "y"]
// [launch]
// grid = [2, 2]
// block = [4, 4]
// [args]
// n = 7
// a = {shape="n * n", fill="uniform(-1,1)"}
// b = {shape="n * n", fill="uniform(-1,1)"}
// y = {shape="n * n", fill="uniform(-1,1)"}
// out = {shape="n * n", fill="uniform(-1,1)"}

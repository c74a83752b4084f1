// Loops that step by locals: sizes of the launch, products, and one that is changed in between.
__device__ float along(float a, int n)
{
    const int step = 2 * blockDim.x;
    float v = a;
    for (int k = 1; k <= n + 16; k += step) v = sinf(v) * a + 0.1f * k;
    return v;
}
extern "C" __global__ void step_in_a_local(int n, const float *x, float *y)
{
    const int step = gridDim.x * blockDim.x;
    int three = 3, hop = blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        float v = x[i];
        const unsigned far = blockDim.x * 2u;
        for (int k = n + i; k > -3; k -= three) v = v * cosf(v) * x[i] + 0.01f * k;
        for (unsigned k = 2u; k < n + 11u; k = far + k) v = sinf(v) * x[i];
        for (int k = 0; k < n + 5; k = k + hop) v = v * v * 0.5f + x[i];
        hop = hop + 1;
        for (int k = n; k >= 0; k = k - 2) { if (v > 0.9f) break; v = v + 0.3f * v * x[i]; }
        y[i] = v + along(x[i], i);
    }
}
//--
// kernel = "step_in_a_local"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 11
// x = {shape="n", fill="uniform(0.2,1.3)"}
// y = {shape="n", fill="uniform(-1,1)"}

// const functor
struct Act { __device__ float operator()(float v) const { return v * v; } };
__device__ float apply(float v, const Act &g) { const Act h; return g(v) + h(2.0f * v); }

extern "C" __global__ void constant_functor(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Act f;
    y[i] = f(x[i]) * apply(x[i], f);
}
//--
// kernel = "constant_functor"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }

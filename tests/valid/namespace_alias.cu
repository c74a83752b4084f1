namespace a {
namespace b {
__device__ float f(float v) { return v * v; }
struct Pair {
    float v;
};
}
}
namespace top = a::b;
extern "C" __global__ void namespace_alias(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    namespace ab = a::b;
    y[i] = ab::f(x[i]) * top::f(x[i]) * ab::Pair{x[i]}.v;
}

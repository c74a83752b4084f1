namespace outer::inner {
__device__ float f(float v) { return v * v; }
__device__ float g(float v) { return f(v); }
}
namespace outer {
inline namespace v1 {
__device__ float version(float v) { return 2.0f * v; }
}
}
namespace {
__device__ float hidden(float v) { return v; }
}
extern "C" __global__ void nested_namespaces(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    using namespace outer;
    namespace o = outer::inner;
    y[i] = outer::inner::f(x[i]) * inner::g(x[i]) * outer::version(x[i]) * o::f(x[i]) * hidden(x[i]);
}

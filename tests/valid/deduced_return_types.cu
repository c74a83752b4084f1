// refused: not-supported
struct Pair {
    float a, b;
    __device__ auto sum() const { return a + b; }
};
__device__ auto g(int k)
{
    int n = k + 1;
    return n;
}
__device__ auto f(float v) { return v * v * g(1); }
__device__ inline auto made(float v)
{
    Pair p = {v, v * v};
    p.a = p.sum();
    return p;
}
__device__ auto set(float *y, int i, float v) { y[i] = v * v; }
template <typename T> __device__ auto twice(T v) { return 2.0f * v; }
__device__ auto h(float v, int k)
{
    if (k > 3)
        return v;
    return v * v;
}
extern "C" __global__ void deduced_return_types(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair p = made(x[i]);
    set(y, i, p.a);
    y[i] += f(x[i]) * g(2) * twice(f(x[i])) * h(x[i], m[i]);
}

namespace a {
__device__ float f(float v) { return v * v; }
struct Pair {
    float a, b;
};
}
extern "C" __global__ void using_declarations(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    using a::f;
    using a::Pair;
    Pair p{x[i], x[i + 1]};
    y[i] = f(p.a) * p.b * fmaxf(x[i], 0.5f);
}

struct Pair {
    float a, b;
};
__device__ Pair made(float v) { return {v, v * v}; }
extern "C" __global__ void rvalue_references(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i];
    float &&t = a * 2.0f;
    auto &&u = a * t;
    auto &&r = a;
    auto &&e = y[i];
    auto &&f = [&](float v) { return v * a; };
    auto &&p = made(x[i]);
    auto &&[c, d] = made(x[i + 1]);
    t *= u;
    u += 1.0f;
    r *= 3.0f;
    p.a *= d;
    c *= p.a;
    e = f(t) * u * c * p.b;
}

// refused: no-lambdas
extern "C" __global__ void lambdas(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i];
    auto f = [a](float v) { return a * v; };
    auto g = [&](float v) { a += v; };
    auto h = [=]() mutable { return f(2.0f); };
    auto u = [b = a * a](float v) { return b + v; };
    g(x[i + 1]);
    y[i] = f(a) * h() * u(a) * [](float v) { return v; }(a);
}

extern "C" __global__ void auto_forms(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    auto a = x[i];
    const auto b = a * 2.0f;
    auto &c = y[i];
    auto *p = &x[i];
    auto k = m[i], l = k + 1;
    auto &&r = a;
    auto v{2.0f};
    r *= b;
    c = a * *p * v * (k + l);
}

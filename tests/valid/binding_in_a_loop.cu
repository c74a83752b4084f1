struct Pair {
    float a, b;
};
extern "C" __global__ void binding_in_a_loop(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.0f;
    Pair p[2] = {{x[i], x[i + 1]}, {2.0f, x[i]}};
    for (auto &[a, b] : p)
        a *= b;
    for (auto [a, b] : p)
        s += a * b;
    if (auto [a, b] = p[1]; a > b)
        s *= a;
    y[i] = s;
}

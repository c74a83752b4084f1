struct Pair {
    float a, b;
};
extern "C" __global__ void binding_of_a_copy(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float q[2] = {x[i], x[i + 1]};
    auto [a, b] = q;
    a *= 2.0f;
    q[0] *= b;
    Pair p = {x[i], 3.0f};
    auto [c, d] = p;
    p.a = 5.0f;
    c *= d;
    auto &&[e, f] = p;
    e *= x[i];
    y[i] = a * b * q[0] * c * p.a * f;
}

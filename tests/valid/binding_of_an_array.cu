extern "C" __global__ void binding_of_an_array(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float q[3] = {x[i], x[i + 1], 2.0f};
    auto &[a, b, c] = q;
    a = a * b;
    auto [d, e, f] = q;
    d += 1.0f;
    y[i] = q[0] * c + d * e * f;
}

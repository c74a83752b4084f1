extern "C" __global__ void binding_of_a_vector(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    auto [a, b] = make_float2(x[i], x[i + 1]);
    a *= b;
    y[i] = a * b;
}

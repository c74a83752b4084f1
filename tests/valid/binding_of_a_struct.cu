struct Pair {
    float v;
    int k;
};
extern "C" __global__ void binding_of_a_struct(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair p = {x[i], 2};
    auto &[v, k] = p;
    v *= v;
    const auto [w, l] = p;
    k = 5;
    y[i] = p.v * w * x[l] * x[p.k];
}

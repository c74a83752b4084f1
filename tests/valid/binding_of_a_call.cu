struct Two {
    float first, second;
};
struct One {
    float v;
};
__device__ Two both(float v)
{
    Two t;
    t.first = sinf(v);
    t.second = cosf(v);
    return t;
}
extern "C" __global__ void binding_of_a_call(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const auto [s, c] = both(x[i]);
    auto [t]{One{x[i]}};
    y[i] = s * c * t;
}

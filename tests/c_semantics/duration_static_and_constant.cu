// [basic.stc.static], [dcl.constexpr]: tables that no thread changes.
extern "C" __global__ void duration_static_and_constant(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    static const float weight[3] = {0.5f, 1.5f, -0.75f};
    static const int at[4] = {3, 1, 2, 0};
    constexpr int last = 2;
    const float half = 0.5f;
    for (int k = 0; k <= last; ++k)
        s = sinf(s) * weight[k] + half * s * x[at[k]];
    y[i] = s * x[at[m[i] & 3]];
}

extern "C" __global__ void const_placement(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float const a = x[i];
    int const *const p = m;
    float const &r = a;
    const float *q = x, *const o = x + 1;
    unsigned long int long u = 2;
    int unsigned const w = 1u;
    y[i] = a * r * q[p[i]] * o[u] * o[w];
}

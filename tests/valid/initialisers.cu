extern "C" __global__ void initialisers(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = 1.0f, b(x[i]), c{x[i + 1]}, d = {2.0f}, e{};
    int v[3]{1, 2, 3}, w[] = {4, 5,}, z[2] = {};
    float2 p{a, b}, q = {c, d};
    auto r = float2{a, c};
    e += v[2] + w[1] + z[0];
    y[i] = a * b * c * d * e * p.y * q.x * r.y;
}

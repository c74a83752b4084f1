extern "C" __global__ void comma_operators(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.0f, t = 0.0f;
    for (int a = 0, b = 4; a < b; ++a, --b)
        s += x[a] * x[b], t += s;
    int j = (i, m[i]);
    y[i] = (s *= t, s * x[j]);
}

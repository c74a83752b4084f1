// [basic.scope.pdecl]: a name is declared behind its declarator, so its extent is the outer one's.
extern "C" __global__ void scope_of_a_declarator(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    const int k = 2;
    {
        float k[k] = {s, x[1]};
        s = sinf(k[0]) * k[1];
    }
    enum { size = k + 1 };
    float v[size];
    for (int j = 0; j < size; ++j)
        v[j] = s * x[j + k];
    y[i] = v[0] * v[k];
}

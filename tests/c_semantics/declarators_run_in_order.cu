// [dcl.decl]: each declarator is a full expression of its own.
extern "C" __global__ void declarators_run_in_order(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int a = m[i], b = a++, c = a + b;
    float u = x[b], v = u * s, w = v * u;
    s = sinf(s) * x[a] * x[c & 15];
    for (int j = a, k = j + 2; j < k; ++j)
        s = s * x[j] + u * v;
    y[i] = s * w;
}

// [expr.ass]: each assignment stores before the next one reads.
extern "C" __global__ void swap_by_a_third_variable(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float a = s;
    float b = x[1];
    for (int k = 0; k < m[i]; ++k) {
        float t = a;
        a = b * x[k];
        b = sinf(t) + b;
    }
    float v[2] = {a, b};
    float t = v[m[i] & 1];
    v[m[i] & 1] = v[1];
    v[1] = t;
    y[i] = a * v[0] + b * v[1];
}

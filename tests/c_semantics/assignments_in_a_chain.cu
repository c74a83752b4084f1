// [expr.ass]: a = b = c assigns from the right; each target converts what the next one holds.
extern "C" __global__ void assignments_in_a_chain(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    double a;
    float b;
    int k;
    unsigned char c;
    a = b = 1.75 * x[i];
    s = sinf(s) * a + b * s;
    a = k = c = 259.9f + m[i];
    s += a * s * x[k];
    b = a = s * s;
    a *= b;
    y[i] = a * x[c] + b;
}

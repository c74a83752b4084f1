// [expr.comma]: the left operand is evaluated first and dropped.
extern "C" __global__ void comma_runs_from_the_left(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = 0;
    s = (k += 2, x[k] * sinf(s));
    s *= x[(k++, k)];
    float t = (s = s * s, s + x[k]);
    for (int a = 0, b = 4; a < b; ++a, b--)
        s = sinf(s) * x[a] + t * x[b];
    y[i] = (s *= t, t += s, t * s);
}

// [conv.fpint], [expr.ass]: an int that is multiplied by a float is truncated each time.
extern "C" __global__ void truncation_in_each_iteration(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = m[i] + 1;
    for (int t = 0; t < 4; ++t) {
        k *= 1.5f;
        s = sinf(s) * x[k & 15] + s;
    }
    k /= 2.5f;
    s *= x[k & 15];
    k += 0.9f;
    s *= x[k & 15];
    k -= 0.5;
    s *= x[k & 15];
    y[i] = s;
}

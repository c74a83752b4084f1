// [expr.comma]: the condition is the last of them; the others run each time.
extern "C" __global__ void comma_in_a_condition(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = m[i] + 2;
    float t = s;
    while (k--, t *= 0.7f, k > 0)
        s = sinf(s) * x[k] + t;
    if (k += 3, k & 1)
        s *= x[k] + t;
    y[i] = s;
}

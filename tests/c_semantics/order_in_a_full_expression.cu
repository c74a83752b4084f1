// [intro.execution]: one expression's effects are done before the next begins.
extern "C" __global__ void order_in_a_full_expression(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = m[i] & 3;
    float t = x[k++];
    t *= x[k++];
    s = sinf(s) * t;
    int j = k++, l = k--;
    s *= x[j] * x[l];
    if (k++ == 3)
        s *= x[k];
    else
        s *= x[k] + t;
    y[i] = s * x[k--] * t;
}

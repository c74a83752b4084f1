// [conv.prom]: a bool becomes an int, zero or one.
extern "C" __global__ void promotion_of_bool(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    bool above = x[i] > 0.5f;
    int sum = above + above + above;
    s = sinf(s) * x[sum];
    above = x[i + 1] > 0.7f;
    s *= x[sum + above] + above;
    for (int k = 0; k < above + 2; ++k)
        s = s * s + x[k];
    y[i] = s;
}

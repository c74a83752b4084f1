// [expr.rel]: a signed counter is compared as unsigned; a negative start is beyond each bound.
extern "C" __global__ void conversion_of_an_unsigned_bound(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned bound = m[i];
    int k;
    for (k = -1; k < bound; ++k)
        s *= 0.0f;
    for (k = 0; k < bound; ++k)
        s = sinf(s) * x[k] + s;
    s *= x[k];
    y[i] = s;
}

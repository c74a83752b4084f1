// [conv.bool]: each number but zero is true, and true is one.
extern "C" __global__ void conversion_to_bool(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    bool half = 0.5f * x[i];
    bool four = m[i];
    bool none = 0.0f;
    bool minus = -0.0f;
    int sum = half + four + none + minus;
    s = sinf(s) * x[sum];
    s *= x[(bool)4 + (bool)m[i] + !!m[i + 1]];
    if (x[i])
        s *= x[2];
    if (!x[i + 1])
        s = 0.0f;
    y[i] = s;
}

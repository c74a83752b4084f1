extern "C" __global__ void attribute_likely(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    if (s > 0.7f) [[likely]] {
        s *= s;
    } else [[unlikely]] {
        s *= 2.0f;
    }
    switch (m[i]) {
    [[likely]] case 0:
        s += x[0];
        break;
    [[unlikely]] default:
        break;
    }
    y[i] = s;
}

// [expr.arith.conv]: an int beside a size_t becomes unsigned, so minus one isn't below it.
extern "C" __global__ void conversion_of_size_t_beside_int(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    size_t count = 4;
    for (int k = -1; k < count; ++k)
        s = 0.0f;
    for (int k = m[i] - 4; k + 1 < count; ++k)
        s = sinf(s) + x[k < 0 ? 0 : k] * s;
    if (m[i] - 8 < (int)count)
        s *= x[1];
    y[i] = s;
}

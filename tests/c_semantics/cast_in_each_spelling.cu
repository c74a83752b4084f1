// [expr.cast], [expr.static.cast], [expr.type.conv]: T(v), (T)v and static_cast<T>(v) are one.
extern "C" __global__ void cast_in_each_spelling(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = int(2.9f * x[1]) + (int)(1.9f * x[2]) + static_cast<int>(m[i] * 0.6f);
    s = sinf(s) * x[k];
    s *= x[(unsigned char)(m[i] + 254) & 15];
    s *= float(m[i]) / 4 + (float)(m[i] / 4) + double(s);
    using byte = unsigned char;
    s *= x[byte(m[i] - 1) >> 4];
    y[i] = s * x[(short)65538] * x[(int)(unsigned char)258];
}

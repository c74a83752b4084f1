// [conv.fpint]: an int, a bool and an unsigned int become floats.
extern "C" __global__ void conversion_of_int_to_float(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float a = m[i];
    float b = x[i] > 0.6f;
    unsigned large = 3000000000u;
    float c = large;
    long negative = -4;
    float d = negative;
    s = sinf(s) * a + b * s;
    if (c > 2.0e9f)
        s *= x[3] * (1 + a);
    s += d * s * s;
    y[i] = s;
}

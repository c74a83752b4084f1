// [conv.fpint]: a float that is stored into a char, a short or a bool.
extern "C" __global__ void truncation_to_narrow_types(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned char c = 9.0f * x[i];
    short h = -9.0f * x[i + 1];
    bool b = 0.3f * x[i];
    long l = 7.9f * x[i + 2];
    s = sinf(s) * x[c] * x[-h] + b;
    s *= x[l] + s;
    y[i] = s * x[b];
}

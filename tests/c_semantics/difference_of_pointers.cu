// [expr.add]: the difference of two pointers counts elements, and has a sign.
extern "C" __global__ void difference_of_pointers(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    const float *p = x + m[i] + 2;
    const float *q = x + 4;
    int apart = p - q;
    s = sinf(s) * x[apart < 0 ? -apart : apart];
    if (p - q < -1)
        s *= x[1];
    long back = q - x;
    s *= x[back] * *(q - 2) * q[-1];
    s *= p[q - x - 4];
    y[i] = s;
}

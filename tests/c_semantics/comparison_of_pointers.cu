// [expr.rel], [expr.eq]: loops that end where a pointer comes to another one.
extern "C" __global__ void comparison_of_pointers(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (const float *p = x, *end = x + 4; p != end; ++p)
        s = sinf(s) * *p + s;
    const float *p = x + m[i];
    const float *last = x + 8;
    while (p < last) {
        s = s * *p + 0.2f * s * s;
        p += 3;
    }
    for (const float *q = x + 5; q >= x + 3; --q)
        s *= *q;
    y[i] = s;
}

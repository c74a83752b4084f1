// [expr.sizeof]: the operand isn't evaluated; the result is unsigned; a sum of chars is an int.
extern "C" __global__ void size_of_types_and_expressions(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    char c = m[i];
    short h = 2;
    int k = 1;
    s = sinf(s) * x[sizeof(c) + sizeof(h)] * x[sizeof(c + c)];
    s *= x[sizeof(k++)];
    s *= x[k];
    if (-1 < sizeof(int))
        s = 0.0f;
    long long v[3] = {1, 2, 3};
    s *= x[sizeof(v) / sizeof(v[0])] * x[sizeof v / sizeof *v];
    y[i] = s * x[sizeof(long) * 2 - sizeof(unsigned char)];
}

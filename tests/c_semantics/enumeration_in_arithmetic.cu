// [conv.prom], [dcl.enum]: an unscoped enumerator is an integer; each is one more than the last.
enum Kind { LOW = -2, NEXT, ZERO, FAR = 5, FARTHER, COUNT = FAR * 2 + 1 };
extern "C" __global__ void enumeration_in_arithmetic(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    Kind kind = m[i] > 3 ? FAR : LOW;
    int k = kind + 3;
    s = sinf(s) * x[k];
    s *= x[COUNT] * x[NEXT + 1] * x[FARTHER];
    if (kind < ZERO)
        s *= x[1 - kind];
    float v[COUNT - 8];
    for (int j = 0; j < COUNT - 8; ++j)
        v[j] = s * x[j] + s;
    y[i] = v[FARTHER - FAR] * v[2];
}

// [dcl.enum], [conv.prom]: an enumeration of unsigned numbers is compared as such.
enum Bits : unsigned { FIRST = 1, LAST = 0x80000000 };
enum Large { HUGE = 0xffffffff, ONE = 1 };
enum Wide { BEYOND = 0x100000000, NONE = 0 };
extern "C" __global__ void enumeration_of_unsigned(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    Bits bits = m[i] >= 0 ? LAST : FIRST;
    if (bits > 0)
        s = sinf(s) * x[1];
    if (FIRST > m[i] - 8)
        s = 0.0f;
    if (-1 == HUGE)
        s *= x[2] + s;
    if (FIRST - 2 > 0)
        s *= x[3];
    s *= x[LAST >> 28] * x[BEYOND >> 30];
    if (BEYOND - 1 > 0)
        s *= x[4];
    s *= x[sizeof(Wide) + sizeof(Large)];
    y[i] = s * x[sizeof(BEYOND)];
}

// [expr.static.cast], [dcl.enum]: a value is converted to the underlying type first.
enum Mask : unsigned char { NONE, SOME = 3 };
enum class Level : signed char { low = -5, high = 100 };
extern "C" __global__ void enumeration_converts_what_is_cast_to_it(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    Mask mask = (Mask)(300 + m[i]);
    s = sinf(s) * x[mask & 63 ? mask >> 3 : 0];
    Level level = static_cast<Level>(200 + m[i]);
    if (level < Level::low)
        s *= x[-(int)level & 15];
    s *= x[sizeof(Mask)] * x[sizeof(level) + sizeof(Level)];
    y[i] = s * x[sizeof(mask + mask)];
}

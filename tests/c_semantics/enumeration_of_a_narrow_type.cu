// [dcl.enum]: an unscoped enumeration with an underlying type is promoted like that type.
enum Mask : unsigned char { NONE = 0, SOME = 3, ALL = 255 };
extern "C" __global__ void enumeration_of_a_narrow_type(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    Mask mask = m[i] > 2 ? ALL : SOME;
    int plus = mask + 1;
    unsigned char wraps = mask + 1;
    s = sinf(s) * x[plus >> 5];
    s *= x[wraps];
    if (~mask < 0)
        s *= x[~mask & 15];
    y[i] = s;
}

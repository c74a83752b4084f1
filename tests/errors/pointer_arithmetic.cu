extern "C" __global__ void shift(const float *x, const float *z, float *y, int n)
{
    const float *p = n + x;
    const float *q = n - z;
//                   ^^^^^ type-error: not defined
    y[threadIdx.x] = p[threadIdx.x] + *(x * 2);
//                                      ^^^^^ pointer-arithmetic: a pointer must be an array and an offset, written as such
}

// meets: bit-reinterpretation
// s2sad: --of y --wrt x
// the absolute value by its sign bit
extern "C" __global__ void magnitude(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * __int_as_float(__float_as_int(x[i]) & 0x7fffffff);
}

extern "C" __global__ void hack(const float *x, float *y)
{
    int bits = __float_as_int(x[threadIdx.x]);
    y[threadIdx.x] = __int_as_float(0x5f3759df - (bits >> 1));
//                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bit-reinterpretation: `__int_as_float(0x5f3759df - (bits >> 1))` has no derivative
}

// An exponential function, roughly: its slope goes through an integer.
__global__ void k(const float *x, float *y)
{
    int i = threadIdx.x;
    int bits = (int)(12102203.0f * x[i]) + 1065353216;
    y[i] = __int_as_float(bits);
//         ^^^^^^^^^^^^^^^^^^^^ bit-reinterpretation: `__int_as_float(bits)` has no derivative
}

extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    y[i] = x[i] + *reinterpret_cast<const float *>(&n);
//                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bit-reinterpretation: `reinterpret_cast<const float *>(&n)` has no derivative
}

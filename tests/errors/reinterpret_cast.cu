extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    float v = x[i] + *reinterpret_cast<const float *>(&n);
    *reinterpret_cast<int *>(&v) += 1 << 23;
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^ bit-reinterpretation: `reinterpret_cast<int *>(&v)` has no derivative
    y[i] = v + *reinterpret_cast<const double *>(&x[2 * i]);
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bit-reinterpretation: `reinterpret_cast<const double *>(&x[2 * i])` has no derivative
}

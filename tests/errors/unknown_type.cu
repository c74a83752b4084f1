extern "C" __global__ void scale(const real *x, real *y)
//                                     ^^^^ unknown-type: no such type
{
    int i = threadIdx.x;
    y[i] = 2 * x[i];
}

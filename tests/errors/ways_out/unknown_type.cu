// meets: unknown-type
// where: TYPE=float
// s2sad: --of y --wrt x
// the number that a makefile chooses
extern "C" __global__ void cubes(const real *x, real *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i] * x[i];
}

// One recording launch, one reverse launch: what is asked stands in a pragma before the kernel.
#pragma s2sad adjoint of(u) wrt(u, c) mode(split)
extern "C" __global__ void asked_by_pragma(double *u, const double *c, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = u[i];
    for (int k = 0; k < steps; ++k)
        v = v + c[k] * sin(v);
    u[i] = v;
}

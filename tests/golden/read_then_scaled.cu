// s2sad: --of y,z --wrt x,z
// The element is read, then scaled in place: its adjoint is scaled back before anything is added.
extern "C" __global__ void read_then_scaled(const double *x, double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = 3.0 * z[i];
    z[i] = z[i] * x[i];
}

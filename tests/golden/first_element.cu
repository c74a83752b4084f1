// s2sad: --of u --wrt u,a
// Each element of a row gets something of the first one, which is itself an element of the row.
extern "C" __global__ void first_element(double *u, const double *a, int rows, int length)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    for (int k = 0; k < length; ++k)
        u[r * length + k] = a[k] * u[r * length + k] + 0.5 * u[r * length];
}

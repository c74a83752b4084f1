// s2sad: --of y,z --wrt x
// A thread that returns early has stored something already, and owes for it.
extern "C" __global__ void stored_before_return(const double *x, double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    z[i] = v * v;
    if (v > 0.4)
        return;
    z[i] += sin(v);
    if (v < -0.4) {
        y[i] = exp(v);
        return;
    }
    y[i] = v * z[i];
}

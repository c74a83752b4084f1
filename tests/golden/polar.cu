// s2sad: --of r,phi --wrt x,y
// Two dependents that share what they are made of.
extern "C" __global__ void polar(const float *x, const float *y, float *r, float *phi, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    r[i] = hypotf(x[i], y[i]);
    phi[i] = atan2f(y[i], x[i]);
}

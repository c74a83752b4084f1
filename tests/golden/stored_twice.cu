// s2sad: --of y --wrt x
// The dependent is stored once by all and again by some: its adjoint is cleared in between.
extern "C" __global__ void stored_twice(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = x[i] * x[i];
    if (x[i] < 0.0f)
        y[i] = sinf(x[i]);
    if (i % 5 == 0)
        y[i] = 1.0f;
}

// help: compute it with arithmetic
// s2sad: --of y --wrt x
// the absolute value
extern "C" __global__ void magnitude(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * fabsf(x[i]);
}

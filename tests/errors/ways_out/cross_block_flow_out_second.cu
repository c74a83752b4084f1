// help: split the kernel in two here
// s2sad: --of y --wrt x,sum
// each value against the sum of all
extern "C" __global__ void share(const float *x, const float *sum, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] / *sum;
}

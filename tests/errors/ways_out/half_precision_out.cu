// help: use float
// s2sad: --of y --wrt x
extern "C" __global__ void wave(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = sinf(x[i]);
}

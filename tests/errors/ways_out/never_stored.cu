// meets: never-stored
// s2sad: --of x --wrt x
extern "C" __global__ void squares(float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}

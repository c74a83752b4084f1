// meets: no-independent
// where: NAME=rate
// a table of a function of one parameter
extern "C" __global__ void table(float *y, float rate, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = expf(-rate * i);
}

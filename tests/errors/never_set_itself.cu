// s2sad: --of y --wrt x
extern "C" __global__ void itself(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int k = k + i;
//          ^^^^^ never-set: declared without a value
    if (i < n)
        y[i] = x[k];
}

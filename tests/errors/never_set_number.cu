// s2sad: --of y --wrt x
extern "C" __global__ void before(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float p;
//  ^^^^^^^ never-set: declared without a value
    y[i] = p * x[i];
    p = x[i];
    y[i] += p * p;
}

// y = a x + y, as BLAS has it: the array that is read is the array that is written.
// s2sad: --of y --wrt a,x,y
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

// command: --of x --wrt x
extern "C" __global__ void squares(float *x, float *y, int n)
//                         ^^^^^^^ never-stored: the launch does not change it
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}

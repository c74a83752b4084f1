// command: --of x --wrt x
extern "C" __global__ void squares(float *x, float *y, int n)
//                         ^^^^^^^ never-stored: after the launch it is what it was before
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}

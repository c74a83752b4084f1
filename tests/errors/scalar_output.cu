// s2sad: --of a --wrt x
extern "C" __global__ void scale(const float *x, float a, float *y)
//                                               ^^^^^^^ not-an-output: its value never leaves the kernel
{
    y[threadIdx.x] = a * x[threadIdx.x];
}

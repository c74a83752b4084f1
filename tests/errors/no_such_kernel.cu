// command: --kernel scael
extern "C" __global__ void scale(const float *x, float *y)
{
    y[threadIdx.x] = 2.0f * x[threadIdx.x];
}
// no line: no-such-kernel: no_such_kernel.cu has no kernel scael

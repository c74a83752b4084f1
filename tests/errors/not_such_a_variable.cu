// command: --of y --wrt x --assume injective:n --assume covers:x
extern "C" __global__ void k(const float *x, const int *m, float *y, int n)
//                         ^ not-such-a-variable: in this kernel
//                         ^ not-such-a-variable: in this kernel
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[m[i]] = x[i];
}

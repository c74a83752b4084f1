// help: split the kernel in two here
// s2sad: --of sum --wrt x
// the sum of all
extern "C" __global__ void add(const float *x, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(sum, x[i]);
}

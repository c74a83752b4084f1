// meets: atomic
// s2sad: --of largest --wrt x
// one of the squares of each class, whichever thread comes last
extern "C" __global__ void chosen(const float *x, float *largest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicExch(&largest[i % 4], x[i] * x[i]);
}

// meets: atomic
// s2sad: --of largest --wrt x
// the largest of squares; all are positive, so their bits are ordered as they are
extern "C" __global__ void maximum(const float *x, float *largest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicMax((int *)&largest[i % 4], __float_as_int(x[i] * x[i]));
}

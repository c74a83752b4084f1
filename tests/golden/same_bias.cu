// s2sad: --of y --wrt x,b
// Every row of the block stores the same bias: one thread gets its adjoint, whichever comes first.

__global__ void same_bias(const float *x, const float *b, float *y, int n)
{
    __shared__ float s[16];
    int tx = threadIdx.x, ty = threadIdx.y;
    s[tx] = b[tx] * b[tx];
    __syncthreads();
    int i = (blockIdx.x * 4 + ty) * 16 + tx;
    if (i < n)
        y[i] = s[tx] * x[i] * s[(tx + 3) % 16];
}

// meets: shared-writer, unknown-extent
// s2sad: --of y --wrt x
// sorted into places of the block
extern "C" __global__ void place(const float *x, const int *to, float *y)
{
    extern __shared__ float s[];
    int t = threadIdx.x;
    s[to[t]] = x[t] * x[t];
    __syncthreads();
    y[t] = s[t];
}

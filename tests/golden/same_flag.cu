// s2sad: --of y --wrt x
// All threads raise one flag: they store the same, so that doesn't tell whose s[0] is.

__global__ void same_flag(const float *x, float *y, int n)
{
    __shared__ float s[32];
    __shared__ int done[1];
    int t = threadIdx.x;
    int i = blockIdx.x * 32 + t;
    s[t] = i < n ? x[i] : 1.0f;
    __syncthreads();
    done[0] = 1;
    __syncthreads();
    if (i < n)
        y[i] = done[0] * s[0] * s[0] + s[t];
}

// s2sad: --of y --wrt x
// An inclusive scan after Hillis and Steele.
#define BLOCK 64
__global__ void scan(const float *x, float *y, int n)
{
    __shared__ float s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    s[t] = i < n ? x[i] * x[i] : 0.0f;
    __syncthreads();
    for (int o = 1; o < BLOCK; o *= 2) {
        float v = 0.0f;
        if (t >= o)
            v = s[t - o];
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (i < n)
        y[i] = s[t] * s[t];
}

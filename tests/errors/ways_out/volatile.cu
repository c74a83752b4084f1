// meets: volatile
// s2sad: --of y --wrt x
// a sum whose last steps one warp takes, as it was written before Volta
extern "C" __global__ void total(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t] * x[blockIdx.x * 64 + t];
    __syncthreads();
    if (t < 32) {
        volatile float *v = s;
        v[t] += v[t + 32];
        v[t] += v[t + 16];
    }
    __syncthreads();
    if (t < 16)
        y[blockIdx.x * 16 + t] = s[t];
}

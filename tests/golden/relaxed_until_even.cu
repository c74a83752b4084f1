// Neighbours are averaged until no difference in the block is large; threads past the end have returned.
// s2sad: --of y --wrt x
#define ROUNDS 5

extern "C" __global__ void relaxed_until_even(const float *x, float *y, float large, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * 32 + t;
    if (i >= n)
        return;
    s[t] = x[i];
    __syncthreads();
    for (int k = 0; k < ROUNDS; ++k) {
        float before = s[t > 0 ? t - 1 : 0];
        float mean = 0.5f * (before + s[t]);
        if (!__syncthreads_or(fabsf(before - mean) > large))
            break;
        s[t] = mean * mean;
        __syncthreads();
    }
    y[i] = s[t];
}

// s2sad: --of y --wrt x
// Barriers that count: all threads of a block go on until fewer than four of them are large.
extern "C" __global__ void block_vote(const float *x, float *y, int n)
{
    __shared__ float s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int t = threadIdx.x;
    s[t] = i < n ? x[i] : 0.0f;
    int large = __syncthreads_count(s[t] > 0.5f);
    float v = s[63 - t];
    if (__syncthreads_or(large > 20))
        v *= s[(t + 1) % 64];
    if (i < n)
        y[i] = v * v * large;
}

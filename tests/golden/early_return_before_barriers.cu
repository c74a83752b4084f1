// s2sad: --of y --wrt x
// Threads that return before barriers, and again behind them.
#define BLOCK 32
__global__ void gram(const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    __shared__ float s[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    const int width = m * 2;
    float acc = 0.0f;
    const float own = x[i];
    for (int k = 0; k < width; ++k) {
        s[threadIdx.x] = own * x[(i + k) % n];
        __syncthreads();
        if (threadIdx.x > 0)
            acc += s[threadIdx.x - 1] * own;
        __syncthreads();
    }
    if (own > 2.0f)
        return;
    y[i] = acc * own;
}

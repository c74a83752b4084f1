// s2sad: --of y --wrt x,w
// Two arrays carved from one dynamic buffer: the block's elements, and the weights behind them.
extern "C" __global__ void carved_buffer(const float *__restrict__ x, const float *__restrict__ w,
                                         float *__restrict__ y, int taps, int n)
{
    extern __shared__ float buffer[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    buffer[t] = i < n ? x[i] : 0.0f;
    for (int k = t; k < taps; k += blockDim.x)
        buffer[blockDim.x + k] = w[k] * w[k];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < taps; ++k)
        if (t >= k)
            sum += buffer[blockDim.x + k] * buffer[t - k];
    if (i < n)
        y[i] = sum;
}

// s2sad: --of y,mean --wrt x,scales
// Every thread of the block stores the row's scale, its mean and what comes of both.
#define BLOCK 32

extern "C" __global__ void same_value(const float *x, const float *scales, float *y, float *mean, int rows)
{
    __shared__ float s[BLOCK], scale, m;
    int t = threadIdx.x;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        s[t] = x[row * BLOCK + t];
        scale = scales[row];
        __syncthreads();
        float sum = 0.0f;
        for (int k = 0; k < BLOCK; ++k)
            sum += s[k] * s[k];
        m = sum / BLOCK;
        __syncthreads();
        mean[row] = m * scale;
        y[row * BLOCK + t] = s[t] * s[t] * m * scale;
        __syncthreads();
    }
}

// Neural networks: layer normalisation and a GELU, fused; a warp per row, several rows per block.
// After J. Ba, J. Kiros and G. Hinton, "Layer normalization" (2016), and D. Hendrycks and K. Gimpel, "Gaussian
// error linear units" (2016), with the tanh form.
#include "reduce.cuh"

constexpr int ROWS_PER_BLOCK = 2;

template <typename T> __device__ __forceinline__ T gelu(T x)
{
    constexpr T sqrt_2_over_pi = T(0.7978845608028654);
    return T(0.5) * x * (T(1) + tanhf(sqrt_2_over_pi * (x + T(0.044715) * x * x * x)));
}

// s2sad: --of out --wrt in,gamma,beta
extern "C" __global__ void layer_norm_gelu(const float *__restrict__ in, const float *__restrict__ gamma,
                                           const float *__restrict__ beta, float *__restrict__ out, int rows,
                                           int cols, float eps)
{
    const int lane = threadIdx.x;  // blockDim = (32, ROWS_PER_BLOCK)
    const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.y;
    if (row >= rows)
        return;
    const float *x = in + row * cols;
    float *y = out + row * cols;

    float sum = 0.0f;
    for (int c = lane; c < cols; c += WARP)
        sum += x[c];
    const float mean = warp_sum(sum) / cols;

    float squares = 0.0f;
    for (int c = lane; c < cols; c += WARP)
        squares += (x[c] - mean) * (x[c] - mean);
    const float inv_std = rsqrtf(warp_sum(squares) / cols + eps);

    for (int c = lane; c < cols; c += WARP)
        y[c] = gelu((x[c] - mean) * inv_std * gamma[c] + beta[c]);
}

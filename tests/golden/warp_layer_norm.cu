// s2sad: --of y --wrt x,gamma,beta
// Layer norm, a warp for each row: mean and variance by butterflies, two passes over the row.
#define FULL 0xffffffffu
extern "C" __global__ void warp_layer_norm(const float *x, const float *gamma, const float *beta,
                                           float *y, int rows, int cols)
{
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * (blockDim.x / 32) + warp;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int k = lane; k < cols; k += 32)
        sum += x[row * cols + k];
    for (int o = 16; o > 0; o >>= 1)
        sum += __shfl_xor_sync(FULL, sum, o);
    float mean = sum / cols;
    float var = 0.0f;
    for (int k = lane; k < cols; k += 32) {
        float c = x[row * cols + k] - mean;
        var += c * c;
    }
    for (int o = 16; o > 0; o >>= 1)
        var += __shfl_xor_sync(FULL, var, o);
    float rstd = rsqrtf(var / cols + 1e-5f);
    for (int k = lane; k < cols; k += 32)
        y[row * cols + k] = (x[row * cols + k] - mean) * rstd * gamma[k] + beta[k];
}

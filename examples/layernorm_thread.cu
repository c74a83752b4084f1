// Layer normalisation, one thread for each row: mean, variance, scale, shift.
// s2sad: --of y --wrt x,gamma,beta
#define EPS 1e-5f

extern "C" __global__ void layernorm_thread(const float *x, const float *gamma, const float *beta,
                                            float *y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;

    float mean = 0.0f;
    for (int c = 0; c < cols; ++c)
        mean += x[row * cols + c];
    mean /= cols;

    float variance = 0.0f;
    for (int c = 0; c < cols; ++c) {
        float d = x[row * cols + c] - mean;
        variance += d * d;
    }
    variance /= cols;

    float inv_std = rsqrtf(variance + EPS);
    for (int c = 0; c < cols; ++c)
        y[row * cols + c] = gamma[c] * (x[row * cols + c] - mean) * inv_std + beta[c];
}

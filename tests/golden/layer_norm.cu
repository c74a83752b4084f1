// s2sad: --of out --wrt in,gamma,beta
// Layer normalisation, a row for each thread.
__global__ void layer_norm(const float *__restrict__ in, const float *__restrict__ gamma,
                           const float *__restrict__ beta, float *__restrict__ out,
                           int rows, int cols, float eps)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;

    float mean = 0.f;
    for (int c = 0; c < cols; ++c) mean += in[row * cols + c];
    mean /= cols;

    float var = 0.f;
    for (int c = 0; c < cols; ++c) {
        float d = in[row * cols + c] - mean;
        var += d * d;
    }
    float inv = rsqrtf(var / cols + eps);

    for (int c = 0; c < cols; ++c)
        out[row * cols + c] = (in[row * cols + c] - mean) * inv * gamma[c] + beta[c];
}

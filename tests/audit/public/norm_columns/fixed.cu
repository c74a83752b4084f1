// Only y was kept: the normalised value is (y - beta) / gamma.
#define TILE 8

__global__ void scale_shift_backward(int rows, int width, const float *__restrict__ gamma,
                                     const float *__restrict__ beta, const float *__restrict__ y,
                                     const float *__restrict__ grad_y, float *__restrict__ grad_gamma,
                                     float *__restrict__ grad_beta)
{
    __shared__ float gammas[TILE][TILE], betas[TILE][TILE];
    int column = blockIdx.x * TILE + threadIdx.x;
    float scale = gamma[blockIdx.x * TILE + threadIdx.x], shift = beta[blockIdx.x * TILE + threadIdx.x];
    float of_gamma = 0.0f, of_beta = 0.0f;
    for (int row = threadIdx.y; row < rows; row += TILE) {
        float g = grad_y[row * width + column];
        of_gamma += g * (y[row * width + column] - shift) / scale;
        of_beta += g;
    }
    gammas[threadIdx.y][threadIdx.x] = of_gamma;
    betas[threadIdx.y][threadIdx.x] = of_beta;
    __syncthreads();
    if (threadIdx.y > 0)
        return;
    for (int k = 1; k < TILE; ++k) {
        of_gamma += gammas[k][threadIdx.x];
        of_beta += betas[k][threadIdx.x];
    }
    grad_gamma[column] = of_gamma;
    grad_beta[column] = of_beta;
}

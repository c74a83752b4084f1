// Threads along y share the rows of a channel; those beyond the last channel bring zero.
#define X 16
#define Y 8

__global__ void scale_shift_backward(int rows, int channels, const float *__restrict__ x,
                                     const float *__restrict__ grad_y, float *__restrict__ grad_gamma,
                                     float *__restrict__ grad_beta)
{
    __shared__ float gammas[Y][X], betas[Y][X];
    int c = blockIdx.x * X + threadIdx.x;
    float of_gamma = 0.0f, of_beta = 0.0f;
    for (int row = threadIdx.y; row < (c < channels ? rows : 0); row += Y) {
        of_gamma += grad_y[row * channels + c] * x[row * channels + c];
        of_beta += grad_y[row * channels + c];
    }
    gammas[threadIdx.y][threadIdx.x] = of_gamma;
    betas[threadIdx.y][threadIdx.x] = of_beta;
    for (int half = Y / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.y < half) {
            gammas[threadIdx.y][threadIdx.x] += gammas[threadIdx.y + half][threadIdx.x];
            betas[threadIdx.y][threadIdx.x] += betas[threadIdx.y + half][threadIdx.x];
        }
    }
    if (threadIdx.y == 0 && c < channels) {
        grad_gamma[c] = gammas[0][threadIdx.x];
        grad_beta[c] = betas[0][threadIdx.x];
    }
}

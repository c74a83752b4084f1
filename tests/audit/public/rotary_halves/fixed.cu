// The other half's seed is multiplied by its own sine.
__global__ void rotate_backward(int tokens, int width, const float *__restrict__ cosine,
                                const float *__restrict__ sine, const float *__restrict__ grad_y,
                                float *__restrict__ grad_x)
{
    int t = blockIdx.x, i = threadIdx.x, half = width / 2;
    int pair = t * width + (i < half ? i + half : i - half);
    float other = (i < half ? 1.0f : -1.0f) * grad_y[pair] * sine[pair];
    grad_x[t * width + i] = grad_y[t * width + i] * cosine[t * width + i] + other;
}

// What PaddlePaddle/Paddle#74716 describes: the other half's seed is multiplied by the sine of this half. Tables
// of two equal halves, as its tests had, hide it.
__global__ void rotate_backward(int tokens, int width, const float *__restrict__ cosine,
                                const float *__restrict__ sine, const float *__restrict__ grad_y,
                                float *__restrict__ grad_x)
{
    int t = blockIdx.x, i = threadIdx.x, half = width / 2;
    int pair = t * width + (i < half ? i + half : i - half);
    float other = (i < half ? 1.0f : -1.0f) * grad_y[pair] * sine[t * width + i];
    grad_x[t * width + i] = grad_y[t * width + i] * cosine[t * width + i] + other;
}

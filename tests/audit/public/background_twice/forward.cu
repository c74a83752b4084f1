// Splats over a background, composited front to back, a thread for each pixel.
__global__ void blend(int pixels, int splats, const float *__restrict__ colour, const float *__restrict__ alpha,
                      float background, float *__restrict__ image, float *__restrict__ left)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels)
        return;
    float through = 1.0f, sum = 0.0f;
    for (int s = 0; s < splats; ++s) {
        sum += through * alpha[i * splats + s] * colour[s];
        through *= 1.0f - alpha[i * splats + s];
    }
    image[i] = sum + through * background;
    left[i] = through;
}

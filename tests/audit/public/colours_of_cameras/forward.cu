// Splats of several cameras composited front to back, a thread for each camera and pixel.
__global__ void blend(int cameras, int pixels, int splats, const float *__restrict__ colour,
                      const float *__restrict__ alpha, float *__restrict__ image)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cameras * pixels)
        return;
    float through = 1.0f, sum = 0.0f;
    for (int s = 0; s < splats; ++s) {
        float a = alpha[i * splats + s];
        sum += through * a * colour[s];
        through *= 1.0f - a;
    }
    image[i] = sum;
}

// Seeds and image are those of the camera.
__global__ void blend_backward(int cameras, int pixels, int splats, const float *__restrict__ colour,
                               const float *__restrict__ alpha, const float *__restrict__ image,
                               const float *__restrict__ dL_dimage, float *__restrict__ dL_dcolour,
                               float *__restrict__ dL_dalpha)
{
    int pixel = blockIdx.x * blockDim.x + threadIdx.x, camera = blockIdx.y;
    if (pixel >= pixels)
        return;
    int i = camera * pixels + pixel;
    float g = dL_dimage[i], through = 1.0f, behind = image[i];
    for (int s = 0; s < splats; ++s) {
        float a = alpha[i * splats + s], share = through * a * colour[s];
        behind -= share;
        dL_dalpha[i * splats + s] = g * (through * colour[s] - behind / (1.0f - a));
        atomicAdd(&dL_dcolour[s], g * through * a);
        through *= 1.0f - a;
    }
}

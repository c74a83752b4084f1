// What graphdeco-inria/diff-gaussian-rasterization#86 describes: what is behind a splat comes from the finished
// image, in which the background is already, and the background is taken off once more.
__global__ void blend_backward(int pixels, int splats, const float *__restrict__ colour,
                               const float *__restrict__ alpha, float background,
                               const float *__restrict__ image, const float *__restrict__ left,
                               const float *__restrict__ dL_dimage, float *__restrict__ dL_dalpha)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels)
        return;
    float through = 1.0f, behind = image[i];
    for (int s = 0; s < splats; ++s) {
        float a = alpha[i * splats + s];
        behind -= through * a * colour[s];
        float change = through * colour[s] - behind / (1.0f - a) - left[i] / (1.0f - a) * background;
        dL_dalpha[i * splats + s] = dL_dimage[i] * change;
        through *= 1.0f - a;
    }
}

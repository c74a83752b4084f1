// Pixels that take their colour from the texels of a face, with weights that fall off with distance.
__global__ void paint(int pixels, int texels, const float *__restrict__ place, const float *__restrict__ centre,
                      const float *__restrict__ texture, float *__restrict__ colour)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels)
        return;
    float sum[3] = {0.0f, 0.0f, 0.0f};
    for (int j = 0; j < texels; ++j) {
        float d = place[i] - centre[j], weight = expf(-d * d);
        for (int k = 0; k < 3; ++k)
            sum[k] += weight * texture[3 * j + k];
    }
    for (int k = 0; k < 3; ++k)
        colour[3 * i + k] = sum[k];
}

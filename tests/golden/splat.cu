// s2sad: --of image --wrt mx,my,conic,opacity,color
// Gaussian splats over a pixel, front to back, until little light is left.
extern "C" __global__ void splat(const float *mx, const float *my, const float *conic,
                                 const float *opacity, const float *color, float *image,
                                 int count, int width, int height)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    float light = 1.0f;
    float sum = 0.0f;
    for (int g = 0; g < count; g++) {
        float dx = px - mx[g], dy = py - my[g];
        float power = -0.5f * (conic[3 * g] * dx * dx + conic[3 * g + 2] * dy * dy) - conic[3 * g + 1] * dx * dy;
        if (power > 0.0f)
            continue;
        float alpha = fminf(0.99f, opacity[g] * expf(power));
        if (alpha < 1.0f / 255.0f)
            continue;
        float rest = light * (1.0f - alpha);
        if (rest < 0.05f)
            break;
        sum += color[g] * alpha * light;
        light = rest;
    }
    image[py * width + px] = sum + 0.2f * light;
}

// s2sad: --of out --wrt image,taps --assume covers:width:height
// A correlation with 3 x 3 taps, zero outside; the launch is declared to cover the image.
extern "C" __global__ void blur_covered(const float *__restrict__ image, const float *__restrict__ taps,
                                        float *__restrict__ out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += taps[3 * dy + dx + 4] * image[(y + dy) * width + x + dx];
    out[y * width + x] = tanhf(image[y * width + x]) + sum;
}

// A filter whose radius the launch gives: all threads go through its rows and columns together,
// each with the taps that lie in the image.
// s2sad: --of out --wrt in,w
extern "C" __global__ void conv_radius(const float *in, const float *w, float *out, int width, int height,
                                       int radius, int stride)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int r = -radius; r <= radius; ++r)
        if (y + r >= 0 && y + r < height)
            for (int c = -radius; c <= radius; ++c)
                if (x + c >= 0 && x + c < width)
                    sum += in[(y + r) * width + x + c] * w[(r + radius) * stride + c + radius];
    out[y * width + x] = tanhf(sum);
}

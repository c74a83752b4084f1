// s2sad: --of out --wrt in,w
// Channels, rows, columns: three nested loops, the border skipped by `continue`. Launched in three dimensions.
extern "C" __global__ void conv2d(const float *in, const float *w, float *out,
                                  int channels, int height, int width, int filters)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int f = blockIdx.z;
    if (x >= width || y >= height)
        return;
    float sum = 0.f;
    for (int c = 0; c < channels; ++c)
        for (int dy = -1; dy <= 1; ++dy) {
            if (y + dy < 0 || y + dy >= height)
                continue;
            for (int dx = -1; dx <= 1; ++dx) {
                if (x + dx < 0 || x + dx >= width)
                    continue;
                sum += in[(c * height + y + dy) * width + x + dx] * w[((f * channels + c) * 3 + dy + 1) * 3 + dx + 1];
            }
        }
    out[(f * height + y) * width + x] = tanhf(sum);
}

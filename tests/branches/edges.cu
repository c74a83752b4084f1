// A stencil of five points whose edges are walls, wrap around (mode 1) or mirror (mode 7).
// s2sad: --of out --wrt in
extern "C" __global__ void edges(const float *in, float *out, int width, int height, int mode)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= width || r >= height)
        return;
    float s = 4.0f * in[r * width + c];
    if (c > 0)
        s -= in[r * width + c - 1];
    else if (mode == 1)
        s -= in[r * width + width - 1];
    else if (mode == 7)
        s -= 2.0f * in[r * width];
    if (c + 1 < width)
        s -= in[r * width + c + 1];
    else if (mode == 1)
        s -= in[r * width];
    if (r > 0)
        s -= in[(r - 1) * width + c];
    if (r + 1 < height)
        s -= in[(r + 1) * width + c];
    out[r * width + c] = s * s;
}

// Bilinear samples of an H x W image at n positions in pixels; zero outside the image.
// As hand/bilinear.cu, with the positions in two arrays instead of one of float2.
extern "C" __global__ void bilinear(const float *__restrict__ img, const float *__restrict__ px,
                                    const float *__restrict__ py, float *__restrict__ out,
                                    int H, int W, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float left = floorf(px[i]), top = floorf(py[i]);
    float fx = px[i] - left, fy = py[i] - top;
    int x = (int)left, y = (int)top;
    bool in_x0 = x >= 0 && x < W, in_x1 = x + 1 >= 0 && x + 1 < W;
    bool in_y0 = y >= 0 && y < H, in_y1 = y + 1 >= 0 && y + 1 < H;
    float v00 = in_y0 && in_x0 ? img[y * W + x] : 0.0f;
    float v01 = in_y0 && in_x1 ? img[y * W + x + 1] : 0.0f;
    float v10 = in_y1 && in_x0 ? img[(y + 1) * W + x] : 0.0f;
    float v11 = in_y1 && in_x1 ? img[(y + 1) * W + x + 1] : 0.0f;
    out[i] = (1.0f - fy) * ((1.0f - fx) * v00 + fx * v01) + fy * ((1.0f - fx) * v10 + fx * v11);
}

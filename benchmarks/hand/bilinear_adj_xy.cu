// Adjoint of primals/bilinear.cu: bilinear_adj.cu with the positions in two arrays.
//   pixels   read again
//   adj_img  samples may share pixels: one atomic for each of the four inside the image
//   adj_px, adj_py  one thread per position: +=; floorf has derivative 0
extern "C" __global__ void bilinear_adj(const float *__restrict__ img, float *__restrict__ adj_img,
                                        const float *__restrict__ px, float *__restrict__ adj_px,
                                        const float *__restrict__ py, float *__restrict__ adj_py,
                                        float *__restrict__ out, const float *__restrict__ adj_out,
                                        int H, int W, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float left = floorf(px[i]), top = floorf(py[i]);
    float fx = px[i] - left, fy = py[i] - top;
    int x = (int)left, y = (int)top;
    bool in_x0 = (unsigned)x < W, in_x1 = (unsigned)(x + 1) < W;
    bool in_y0 = (unsigned)y < H, in_y1 = (unsigned)(y + 1) < H;
    int pixel = y * W + x;
    float *adj_up = adj_img + pixel, *adj_down = adj_img + (pixel + W);
    float v00 = in_y0 && in_x0 ? img[pixel] : 0.0f;
    float v01 = in_y0 && in_x1 ? img[pixel + 1] : 0.0f;
    float v10 = in_y1 && in_x0 ? img[pixel + W] : 0.0f;
    float v11 = in_y1 && in_x1 ? img[pixel + W + 1] : 0.0f;

    // out[i] = (1.0f - fy) * ((1.0f - fx) * v00 + fx * v01) + fy * ((1.0f - fx) * v10 + fx * v11)
    float g = adj_out[i];
    float g1 = fy * g, g0 = g - g1;  // for the lower and for the upper pair
    if (in_y0 && in_x0)
        atomicAdd(&adj_up[0], g0 - fx * g0);
    if (in_y0 && in_x1)
        atomicAdd(&adj_up[1], fx * g0);
    if (in_y1 && in_x0)
        atomicAdd(&adj_down[0], g1 - fx * g1);
    if (in_y1 && in_x1)
        atomicAdd(&adj_down[1], fx * g1);
    float across0 = v01 - v00, across1 = v11 - v10;
    adj_px[i] += g0 * across0 + g1 * across1;
    adj_py[i] += g * ((v10 + fx * across1) - (v00 + fx * across0));
}

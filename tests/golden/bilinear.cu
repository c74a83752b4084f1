// s2sad: --of out --wrt image,u,v
// Sample an image between its pixels; the four of them are picked by truncation.
extern "C" __global__ void bilinear(const float *image, int width, int height,
                                    const float *u, const float *v, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = u[i] * (width - 1);
    float y = v[i] * (height - 1);
    int x0 = (int)floorf(x), y0 = (int)floorf(y);
    int x1 = min(x0 + 1, width - 1), y1 = min(y0 + 1, height - 1);
    float fx = x - x0, fy = y - y0;
    float top = (1.0f - fx) * image[y0 * width + x0] + fx * image[y0 * width + x1];
    float bottom = (1.0f - fx) * image[y1 * width + x0] + fx * image[y1 * width + x1];
    out[i] = (1.0f - fy) * top + fy * bottom;
}

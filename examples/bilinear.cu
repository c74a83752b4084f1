// Sample an image between its pixels: the gradient tells where to look, not only what to see.
// s2sad: --of sample --wrt image,u,v
extern "C" __global__ void bilinear(const float *image, int width, int height, const float *u,
                                    const float *v, float *sample, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    float x = fminf(fmaxf(u[i], 0.0f), width - 1.0f);
    float y = fminf(fmaxf(v[i], 0.0f), height - 1.0f);
    int x0 = min((int)floorf(x), width - 2);
    int y0 = min((int)floorf(y), height - 2);
    float fx = x - x0;
    float fy = y - y0;

    const int corner = y0 * width + x0;
    float top = (1.0f - fx) * image[corner] + fx * image[corner + 1];
    float bottom = (1.0f - fx) * image[corner + width] + fx * image[corner + width + 1];
    sample[i] = (1.0f - fy) * top + fy * bottom;
}

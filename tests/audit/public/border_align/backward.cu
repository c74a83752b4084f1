// What open-mmlab/mmcv#2174 describes: the forward keeps the four corners inside the image, and the backward adds
// to them without looking.
__global__ void sample_backward(int channels, int points, int height, int width, const float *__restrict__ xy,
                                const float *__restrict__ grad_out, float *__restrict__ grad_image)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= channels * points)
        return;
    int c = i / points, p = i % points;
    float x = xy[2 * p], y = xy[2 * p + 1], g = grad_out[i];
    int left = (int)x, top = (int)y, right = left + 1, low = top + 1;
    float fx = x - left, fy = y - top;
    float *own = grad_image + c * height * width;
    atomicAdd(&own[top * width + left], (1.0f - fy) * (1.0f - fx) * g);
    atomicAdd(&own[top * width + right], (1.0f - fy) * fx * g);
    atomicAdd(&own[low * width + left], fy * (1.0f - fx) * g);
    atomicAdd(&own[low * width + right], fy * fx * g);
}

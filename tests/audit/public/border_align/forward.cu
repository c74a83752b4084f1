// Values between the pixels of each channel, at points inside the image or past its last row and column.
__global__ void sample(int channels, int points, int height, int width, const float *__restrict__ image,
                       const float *__restrict__ xy, float *__restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= channels * points)
        return;
    int c = i / points, p = i % points;
    float x = xy[2 * p], y = xy[2 * p + 1];
    int left = (int)x, top = (int)y, right = min(left + 1, width - 1), low = min(top + 1, height - 1);
    float fx = x - left, fy = y - top;
    const float *own = image + c * height * width;
    out[i] = (1.0f - fy) * ((1.0f - fx) * own[top * width + left] + fx * own[top * width + right]) +
             fy * ((1.0f - fx) * own[low * width + left] + fx * own[low * width + right]);
}

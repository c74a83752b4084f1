// Attention of each pixel to its row and its column: weights of the row first, then of the column.
__global__ void attend(int height, int width, const float *__restrict__ weight, const float *__restrict__ value,
                       float *__restrict__ out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const float *own = weight + (y * width + x) * (width + height);
    float sum = 0.0f;
    for (int k = 0; k < width; ++k)
        sum += own[k] * value[y * width + k];
    for (int k = 0; k < height; ++k)
        sum += own[width + k] * value[k * width + x];
    out[y * width + x] = sum;
}

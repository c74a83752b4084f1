// Softmax of scaled rows, a thread for each row.
__global__ void scaled_softmax(int rows, int width, float scale, const float *__restrict__ x,
                               float *__restrict__ y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int i = 0; i < width; ++i)
        sum += expf(scale * x[row * width + i]);
    for (int i = 0; i < width; ++i)
        y[row * width + i] = expf(scale * x[row * width + i]) / sum;
}

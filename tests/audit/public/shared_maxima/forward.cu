// Softmax of each row, a thread for each row.
__global__ void softmax(int rows, int width, const float *__restrict__ x, float *__restrict__ y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float top = x[row * width], sum = 0.0f;
    for (int i = 1; i < width; ++i)
        top = fmaxf(top, x[row * width + i]);
    for (int i = 0; i < width; ++i)
        sum += expf(x[row * width + i] - top);
    for (int i = 0; i < width; ++i)
        y[row * width + i] = expf(x[row * width + i] - top) / sum;
}

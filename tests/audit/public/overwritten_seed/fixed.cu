// The seeds are read, twice.
__global__ void scaled_softmax_backward(int rows, int width, float scale, const float *__restrict__ y,
                                        const float *__restrict__ dy, float *__restrict__ dx)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int i = 0; i < width; ++i) {
        sum += y[row * width + i] * dy[row * width + i];
    }
    for (int i = 0; i < width; ++i)
        dx[row * width + i] = scale * (y[row * width + i] * (dy[row * width + i] - sum));
}

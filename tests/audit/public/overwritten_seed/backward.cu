// What NVIDIA/apex#1430 describes: the products with the seeds are kept in the array of the seeds, which belongs to
// the caller.
__global__ void scaled_softmax_backward(int rows, int width, float scale, const float *__restrict__ y,
                                        float *__restrict__ dy, float *__restrict__ dx)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int i = 0; i < width; ++i) {
        dy[row * width + i] *= y[row * width + i];
        sum += dy[row * width + i];
    }
    for (int i = 0; i < width; ++i)
        dx[row * width + i] = scale * (dy[row * width + i] - y[row * width + i] * sum);
}

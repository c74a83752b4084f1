// The sums of several threads are atomic.
__global__ void attend_backward(int height, int width, const float *__restrict__ weight,
                                const float *__restrict__ value, const float *__restrict__ grad_out,
                                float *__restrict__ grad_weight, float *__restrict__ grad_value)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int start = (y * width + x) * (width + height);
    float g = grad_out[y * width + x];
    for (int k = 0; k < width; ++k) {
        grad_weight[start + k] = g * value[y * width + k];
        atomicAdd(&grad_value[y * width + k], g * weight[start + k]);
    }
    for (int k = 0; k < height; ++k) {
        grad_weight[start + width + k] = g * value[k * width + x];
        atomicAdd(&grad_value[k * width + x], g * weight[start + width + k]);
    }
}

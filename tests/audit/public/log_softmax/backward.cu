// What ROCm/MIOpen#112 describes: the logarithm's backward follows the formula of the softmax itself.
__global__ void log_softmax_backward(int channels, int places, const float *__restrict__ y,
                                     const float *__restrict__ dy, float *__restrict__ dx)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= places)
        return;
    float dot = 0.0f;
    for (int c = 0; c < channels; ++c)
        dot += y[c * places + p] * dy[c * places + p];
    for (int c = 0; c < channels; ++c)
        dx[c * places + p] = y[c * places + p] * (dy[c * places + p] - dot);
}

// The logarithm of the softmax over channels, a thread for each place.
__global__ void log_softmax(int channels, int places, const float *__restrict__ x, float *__restrict__ y)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= places)
        return;
    float top = x[p], sum = 0.0f;
    for (int c = 1; c < channels; ++c)
        top = fmaxf(top, x[c * places + p]);
    for (int c = 0; c < channels; ++c)
        sum += expf(x[c * places + p] - top);
    for (int c = 0; c < channels; ++c)
        y[c * places + p] = x[c * places + p] - top - logf(sum);
}

// What each batch's labels score: a weight for each position of the label, times the class's value.
__global__ void score(int batches, int length, int classes, const int *__restrict__ label,
                      const float *__restrict__ weight, const float *__restrict__ x, float *__restrict__ sum)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= batches)
        return;
    float s = 0.0f;
    for (int k = 0; k < length; ++k)
        s += weight[b * length + k] * expf(x[b * classes + label[b * length + k]]);
    sum[b] = s;
}

// The first launch scales the seeds. What tile-ai/TileOPs#1729 describes: in the second each block reads the rows
// of later blocks, which overwrite them in the same launch.
#define TAPS 3

__global__ void scale(int rows, int width, const float *__restrict__ x, const float *__restrict__ w,
                      const float *__restrict__ grad_out, float *__restrict__ grad_x)
{
    int row = blockIdx.x, i = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < TAPS; ++k)
        if (row - k >= 0)
            sum += w[k] * tanhf(x[(row - k) * width + i]);
    grad_x[row * width + i] = 2.0f * sum * grad_out[row * width + i];
}

__global__ void combine(int rows, int width, const float *__restrict__ x, const float *__restrict__ w,
                        float *__restrict__ grad_x)
{
    int row = blockIdx.x, i = threadIdx.x;
    float sum = 0.0f, gate = tanhf(x[row * width + i]);
    for (int k = 0; k < TAPS; ++k)
        if (row + k < rows)
            sum += w[k] * grad_x[(row + k) * width + i];
    grad_x[row * width + i] = (1.0f - gate * gate) * sum;
}

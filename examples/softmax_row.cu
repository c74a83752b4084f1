// Softmax of each row, kept from overflowing by the row's largest score.
// s2sad: --of p --wrt score
extern "C" __global__ void softmax_row(const float *score, float *p, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || cols < 1)
        return;

    int best = 0;
    for (int c = 1; c < cols; ++c)
        if (score[row * cols + c] > score[row * cols + best])
            best = c;
    float largest = score[row * cols + best];

    float sum = 0.0f;
    for (int c = 0; c < cols; ++c)
        sum += expf(score[row * cols + c] - largest);
    for (int c = 0; c < cols; ++c)
        p[row * cols + c] = expf(score[row * cols + c] - largest) / sum;
}

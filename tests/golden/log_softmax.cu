// --of y --wrt x
__global__ void log_softmax(const float *__restrict__ x, float *__restrict__ y, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    const float *row = x + r * cols;
    float most = row[0];
    for (int c = 1; c < cols; ++c)
        most = fmaxf(most, row[c]);
    float sum = 0.0f;
    for (int c = 0; c < cols; ++c)
        sum += expf(row[c] - most);
    float lse = logf(sum) + most;
    for (int c = 0; c < cols; ++c)
        y[r * cols + c] = row[c] - lse;
}

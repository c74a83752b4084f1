// The margin loss of each row: by how much every class comes too near to the target.
__global__ void margin_loss(int rows, int classes, const int *__restrict__ target, const float *__restrict__ x,
                            float margin, float *__restrict__ loss)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float right = x[row * classes + target[row]], sum = 0.0f;
    for (int i = 0; i < classes; ++i)
        if (i != target[row])
            sum += fmaxf(0.0f, margin - right + x[row * classes + i]);
    loss[row] = sum / classes;
}

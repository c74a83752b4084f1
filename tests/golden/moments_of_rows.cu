// --of y,total --wrt x
// The sum of a row's positive elements is used in a loop and after it.
__global__ void moments_of_rows(const float *__restrict__ x, float *__restrict__ y, float *__restrict__ total,
                                int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float s = 0.5f;
    for (int c = 0; c < cols; ++c)
        if (x[r * cols + c] > 0.0f)
            s += x[r * cols + c];
    for (int c = 0; c < cols; ++c)
        y[r * cols + c] = x[r * cols + c] / s;
    total[r] = s * s;
}

// --of y --wrt x,w
// The second loop's scale is not the first one's: no sum of its adjoint belongs in the first loop.
__global__ void changing_scale(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y,
                               int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float m = w[r];
    float s = 0.0f;
    for (int c = 0; c < cols; ++c)
        s += x[r * cols + c] * m;
    m = 0.1f * s;
    for (int c = 0; c < cols; ++c)
        y[r * cols + c] = sinf(m * x[r * cols + c]);
}

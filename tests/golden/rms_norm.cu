// --of y --wrt x,g
// Divides each row by its root mean square.
__global__ void rms_norm(const float *__restrict__ x, const float *__restrict__ g, float *__restrict__ y,
                         int rows, int cols, float eps)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float squares = 0.0f;
    for (int c = 0; c < cols; ++c)
        squares += x[r * cols + c] * x[r * cols + c];
    float inv = rsqrtf(squares / cols + eps);
    for (int c = 0; c < cols; ++c)
        y[r * cols + c] = x[r * cols + c] * inv * g[c];
}

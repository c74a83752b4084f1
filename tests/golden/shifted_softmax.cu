// --of p --wrt x
// Softmax of a row's left neighbours; the first element has none.
__global__ void shifted_softmax(const float *__restrict__ x, float *__restrict__ p, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    const float *row = x + r * cols;
    float s = 0.0f;
    for (int c = 0; c < cols; ++c)
        s += c > 0 ? expf(row[c - 1]) : 1.0f;
    for (int c = 0; c < cols; ++c)
        p[r * cols + c] = (c > 0 ? expf(row[c - 1]) : 1.0f) / s;
}

// s2sad: --of p --wrt z
// Softmax, a row for each thread; the sum is kept where the exponentials are.
extern "C" __global__ void softmax_row(const float *z, float *p, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float top = z[row * cols];
        for (int c = 1; c < cols; ++c)
            top = fmaxf(top, z[row * cols + c]);
        float sum = 0.0f;
        for (int c = 0; c < cols; ++c) {
            float e = expf(z[row * cols + c] - top);
            p[row * cols + c] = e;
            sum += e;
        }
        for (int c = 0; c < cols; ++c)
            p[row * cols + c] /= sum;
    }
}

// --of y --wrt a,bias
// Rows of different lengths, some empty: then bias alone is the divisor, and it may be zero.
__global__ void ragged_norm(const int *len, const float *a, const float *bias, float *y, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float s = bias[r];
    for (int k = 0; k < len[r]; ++k)
        s += a[r * cols + k] * a[r * cols + k];
    for (int k = 0; k < len[r]; ++k)
        y[r * cols + k] = a[r * cols + k] / s;
}

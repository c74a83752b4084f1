// s2sad: --of y --wrt x
// Pairs by strides of the grid; the odd element is for the thread whose strides end there.
__global__ void odd_tail(const float *x, float *y, int n)
{
    int pairs = n >> 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    while (i < pairs) {
        y[2 * i] = x[2 * i] * x[2 * i + 1];
        y[2 * i + 1] = x[2 * i] + x[2 * i + 1];
        i += stride;
    }
    if (n % 2 == 1 && i == pairs)
        y[n - 1] = x[n - 1] * x[n - 1];
}

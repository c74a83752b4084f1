// s2sad: --of y --wrt x --store v
// Loops that no parameter bounds by itself: a tile's rows or those that are left, the last block's rest,
// what a mask leaves, one side of a triangle, a logistic map through each.
#define ROWS 4

extern "C" __global__ void rest_of_rows(const float *x, float *y, int n, int width)
{
    int i = threadIdx.x;
    float v = x[blockIdx.x * blockDim.x + i];
    int end = ROWS + 1;
    if (blockIdx.x == gridDim.x - 1)
        end = n - (int)blockIdx.x * ROWS;
    for (int k = 1; k < end; ++k)
        v = 2.0f * v * (1.0f - v);
    for (int base = 0; base < n; base += ROWS) {
        int count = min(ROWS, n - base);
        for (int k = 0; k < count; ++k)
            v = 3.0f * v * (1.0f - v);
        for (int k = count - (count & 1); k < count; ++k)
            v = v * v + 0.25f;
    }
    for (int j = 1; j < width; ++j)
        for (int k = 0; 2 * k < j; ++k)
            v = 2.5f * v * (1.0f - v);
    y[blockIdx.x * blockDim.x + i] = v;
}

// s2sad: --of y --wrt x
// Rows of pitched memory, found by bytes; one pointer moves from row to row. A pointer to nothing or into y.
extern "C" __global__ void rows_in_bytes(const float *x, const int *order, float *y, int pitch, int rows, int columns,
                                         int twice)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < columns) {
        const int *cell = order + c;
        float *more = twice > 0 ? y + columns : nullptr;
        float sum = 0.0f;
        for (int r = 0; r < rows; r++) {
            const int *places = (const int *)((const char *)order + r * pitch);
            const float *row = (const float *)((const char *)x + r * columns * sizeof(float));
            sum += row[places[c]] * row[places[columns - 1 - c]] + x[*cell];
            cell = (const int *)((const unsigned char *)cell + pitch);
        }
        y[c] = sum;
        if (twice > 0)
            more[c] = sum * sum;
    }
}

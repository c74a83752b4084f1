// s2sad: --of y --wrt x,w
// Indices that functions of the file compute, from the thread's coordinates and from what they are given.
__device__ int thread_of_grid() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int at(int row, int column, int columns) { return row * columns + column; }
__device__ unsigned int last(unsigned int columns) { return at(1, 0, columns) - 1; }

__global__ void index_functions(const float *x, const float *w, float *y, int rows, int columns)
{
    int row = thread_of_grid();
    if (row >= rows)
        return;
    float s = x[at(row, last(columns), columns)];
    for (int c = 0; c < columns; ++c)
        s += w[c] * x[at(row, c, columns)] * x[at(row, c, columns)];
    for (int c = 0; c < columns; ++c)
        y[at(row, c, columns)] = sinf(s) * (c + 1);
}

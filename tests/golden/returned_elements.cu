// s2sad: --of y --wrt x
// Functions that say which element is meant: of a local array, of shared and of global memory.
#define COLS 3

template <typename T> __device__ T &at(T *m, int row, int col)
{
    const int k = row * COLS + col;
    return m[k];
}

__device__ float &clamped(float *v, int i)
{
    if (i > COLS)
        i = COLS;
    return v[i];
}

extern "C" __global__ void returned_elements(const float *x, float *y, int n)
{
    __shared__ float rows[64 * COLS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int c = 0; c < COLS; ++c)
        at(rows, threadIdx.x, c) = at(x, i, c) * at(x, i, 0);
    float v[COLS + 1] = {1.0f, at(rows, threadIdx.x, 1), at(rows, threadIdx.x, 2), 0.5f};
    clamped(v, i) *= v[1];
    float &last = clamped(v, 2);
    last += sinf(v[COLS]);
    at(y, i, 0) = v[1] * v[2];
    at(y, i, 1) = v[0] * v[3];
}

// s2sad: --of out,kept --wrt in,out,w
// Structs by value of which only what their pointers point to has an adjoint: that is passed by value, too.
struct Buffer {
    float *data;
    int n;
};

struct Pair {
    Buffer rows;
    const double *gains;
    int which;
};

struct Kept {
    float *squares;
    float scale;
};

struct Matrix {
    const float *data;
    int cols;
    __device__ const float &operator()(int i, int j) const { return data[i * cols + j]; }
};

__device__ float smoothed(Buffer b, int i)
{
    float sum = 0.0f;
    for (int j = max(i - 1, 0); j <= min(i + 1, b.n - 1); ++j)
        sum += b.data[j] > 0.0f ? b.data[j] * b.data[j] : sinf(b.data[j]);
    return sum;
}

__global__ void buffers(Pair in, Buffer out, Kept kept, Matrix w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= out.n)
        return;
    const float *row = &w(i, 0);
    float v = smoothed(in.rows, i) * (float)in.gains[in.which];
    for (int k = 0; k < w.cols; ++k)
        v += row[k] * row[k];
    kept.squares[i] = kept.scale * v * v;
    out.data[i] = out.data[i] * v + cosf(out.data[i]);
}

// s2sad: --of y,e --wrt x,w,b,c,scale,gain
// What all threads of a block read: by a constant, by loops' counters, in a branch that all take,
// in a loop that they leave at different times, by the block's number; in float and in double.
#define TAPS 3
extern "C" __global__ void block_weights(const float *x, const float *w, const float *b, const double *c,
                                         float scale, double gain, float *y, double *e, int rows, int cols,
                                         int smooth)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols)
        return;
    float v = x[row * cols + col];
    float sum = w[0] * v + b[blockIdx.x] * cosf(v);
    for (int k = 1; k < TAPS; ++k)
        for (int j = 0; j < TAPS; ++j)
            if (v > 0.2f * j)
                sum += w[k * TAPS + j] * sinf(v * j + k);
    if (smooth)
        sum += w[1] * v * v;
    double d = sum;
    for (int r = 0; r < col; ++r)
        d = d * c[0] + c[r + 1] * 0.5;
    y[row * cols + col] = scale * sum;
    e[row * cols + col] = gain * d;
}

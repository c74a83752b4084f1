// s2sad: --of y --wrt x,w,a --assume block:32:4
// A block size is declared: its sums over whole warps need no code for a partial one.
extern "C" __global__ void declared_block(const float *x, const float *w, float a, float *y, int rows, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || r >= rows)
        return;
    float v = w[0] + x[r * n + i] * (w[1] + x[r * n + i] * w[2]);
    y[r * n + i] = a * v * v;
}

// Exercise square: one thread, one statement, one input that is read twice.
// The kernel computes y[i] = x[i] * x[i] + 3 x[i]. Add dJ/dx to adj_x, where adj_y holds dJ/dy.
// When you are done: s2sad lesson check square.cu

extern "C" __global__ void square(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i] + 3.0f * x[i];
}

extern "C" __global__ void square_adj(const float *x, float *adj_x, float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // GAP 1: the adjoint of line 9, y[i] = x[i] * x[i] + 3.0f * x[i]
        adj_x[i] += (2.0f * x[i] + 3.0f) * adj_y[i];
        // END
    }
}

// Exercise dot: a sum over all threads.
// Every thread adds to out[0]; in the adjoint every thread reads adj_out[0].
// When you are done: s2sad lesson check dot.cu

extern "C" __global__ void dot(const float *x, const float *y, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&out[0], x[i] * y[i]);
}

extern "C" __global__ void dot_adj(const float *x, float *adj_x, const float *y, float *adj_y,
                                   float *out, const float *adj_out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // GAP 1: the adjoint of line 9, atomicAdd(&out[0], x[i] * y[i])
        adj_x[i] += y[i] * adj_out[0];
        adj_y[i] += x[i] * adj_out[0];
        // END
    }
}

// The update of a hierarchical multiscale LSTM's cell: flush, copy or update, by two binary vectors that are
// broadcast over the columns. After J. Revels et al., "Dynamic automatic differentiation of GPU broadcast
// kernels" (2018).
__device__ float sigmoid(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

// s2sad: --of next --wrt c,f,i,g
extern "C" __global__ void hm_lstm(const int *__restrict__ z, const int *__restrict__ zb,
                                   const float *__restrict__ c, const float *__restrict__ f,
                                   const float *__restrict__ i, const float *__restrict__ g,
                                   float *__restrict__ next, int rows, int columns)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= rows * columns)
        return;
    const int row = k % rows;
    if (z[row] == 1)
        next[k] = sigmoid(i[k]) * tanhf(g[k]);
    else if (zb[row] == 0)
        next[k] = c[k];
    else
        next[k] = sigmoid(f[k]) * c[k] + sigmoid(i[k]) * tanhf(g[k]);
}

// Adjoint of hm_lstm.  of next, wrt c, f, i, g.
//   adj_c, adj_f, adj_i, adj_g   one thread per element: +=, only where the executed case reads
//   partials                     s (1 - s) of a sigmoid, 1 - t^2 of tanh
__device__ float sigmoid(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

extern "C" __global__ void hm_lstm_adj(const int *__restrict__ z, const int *__restrict__ zb,
                                       const float *__restrict__ c, float *__restrict__ adj_c,
                                       const float *__restrict__ f, float *__restrict__ adj_f,
                                       const float *__restrict__ i, float *__restrict__ adj_i,
                                       const float *__restrict__ g, float *__restrict__ adj_g,
                                       float *__restrict__ next, const float *__restrict__ adj_next, int rows,
                                       int columns)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= rows * columns)
        return;
    const int row = k % rows;
    const float seed = adj_next[k];
    if (z[row] != 1) {
        if (zb[row] == 0) {  // copy
            adj_c[k] += seed;
            return;
        }
        const float forget = sigmoid(f[k]);
        adj_c[k] += seed * forget;
        adj_f[k] += seed * c[k] * forget * (1.0f - forget);
    }
    const float input = sigmoid(i[k]), change = tanhf(g[k]);
    adj_i[k] += seed * change * input * (1.0f - input);
    adj_g[k] += seed * input * (1.0f - change * change);
}

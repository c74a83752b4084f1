// Exercise gather: an index from memory may name one element many times.
// Thread i alone has w[i]; x[index[i]] may belong to anyone.
// When you are done: s2sad lesson check gather.cu

extern "C" __global__ void gather(const float *x, const float *w, const int *index, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = w[i] * x[index[i]];
}

extern "C" __global__ void gather_adj(const float *x, float *adj_x, const float *w, float *adj_w,
                                      const int *index, float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // GAP 1: what w[i] gets from line 9
        adj_w[i] += x[index[i]] * adj_y[i];
        // END
        // GAP 2: what x[index[i]] gets from line 9
        atomicAdd(&adj_x[index[i]], w[i] * adj_y[i]);
        // END
    }
}

// Exercise mirror: two threads read each element of shared memory.
// adj_tile[t] gets one contribution from thread t and one from thread BLOCK - 1 - t. They can add in turns, with a
// barrier between them: then neither needs an atomic. Threads with i >= n take part in the barriers.
// When you are done: s2sad lesson check mirror.cu
#define BLOCK 32

extern "C" __global__ void mirror(const float *x, float *y, int n)
{
    __shared__ float tile[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    tile[t] = i < n ? x[i] : 1.0f;
    __syncthreads();
    if (i < n)
        y[i] = tile[t] * tile[BLOCK - 1 - t];
}

extern "C" __global__ void mirror_adj(const float *x, float *adj_x, float *y, const float *adj_y, int n)
{
    __shared__ float tile[BLOCK];
    __shared__ float adj_tile[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    tile[t] = i < n ? x[i] : 1.0f;
    // GAP 1: adj_tile starts at zero; what this thread stores must be there for all threads
    adj_tile[t] = 0.0f;
    __syncthreads();
    // END
    float g = i < n ? adj_y[i] : 0.0f;
    // GAP 2: the adjoint of line 15, y[i] = tile[t] * tile[BLOCK - 1 - t]: in two turns
    adj_tile[t] += tile[BLOCK - 1 - t] * g;
    __syncthreads();
    adj_tile[BLOCK - 1 - t] += tile[t] * g;
    __syncthreads();
    // END
    // GAP 3: the adjoint of line 12, tile[t] = i < n ? x[i] : 1.0f
    if (i < n)
        adj_x[i] += adj_tile[t];
    // END
}

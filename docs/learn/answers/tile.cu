// Exercise tile: a three-point stencil on a tile with a halo, the last step to real kernels.
// Three threads read each cell of tile, so three add to each cell of adj_tile. The cells of the halo belong to two
// blocks, so adj_x needs an atomic.
// When you are done: s2sad lesson check tile.cu
#define BLOCK 32

extern "C" __global__ void tile(const float *x, float *y, int n)
{
    __shared__ float cell[BLOCK + 2];
    int t = threadIdx.x + 1;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    cell[t] = i < n ? x[i] : 0.0f;
    if (threadIdx.x == 0)
        cell[0] = i > 0 ? x[i - 1] : 0.0f;
    if (threadIdx.x == BLOCK - 1)
        cell[BLOCK + 1] = i + 1 < n ? x[i + 1] : 0.0f;
    __syncthreads();
    if (i < n)
        y[i] = cell[t - 1] * cell[t] - cell[t + 1];
}

extern "C" __global__ void tile_adj(const float *x, float *adj_x, float *y, const float *adj_y, int n)
{
    __shared__ float cell[BLOCK + 2], adj_cell[BLOCK + 2];
    int t = threadIdx.x + 1;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    cell[t] = i < n ? x[i] : 0.0f;
    if (threadIdx.x == 0)
        cell[0] = i > 0 ? x[i - 1] : 0.0f;
    if (threadIdx.x == BLOCK - 1)
        cell[BLOCK + 1] = i + 1 < n ? x[i + 1] : 0.0f;
    // GAP 1: set all cells of adj_cell to zero, those of the halo too
    adj_cell[t] = 0.0f;
    if (threadIdx.x == 0)
        adj_cell[0] = 0.0f;
    if (threadIdx.x == BLOCK - 1)
        adj_cell[BLOCK + 1] = 0.0f;
    // END
    __syncthreads();
    // GAP 2: the adjoint of line 19, y[i] = cell[t - 1] * cell[t] - cell[t + 1]; then a barrier
    if (i < n) {
        atomicAdd(&adj_cell[t - 1], cell[t] * adj_y[i]);
        atomicAdd(&adj_cell[t], cell[t - 1] * adj_y[i]);
        atomicAdd(&adj_cell[t + 1], -adj_y[i]);
    }
    __syncthreads();
    // END
    // GAP 3: the adjoint of lines 15 and 16, cell[BLOCK + 1] = i + 1 < n ? x[i + 1] : 0.0f
    if (threadIdx.x == BLOCK - 1 && i + 1 < n)
        atomicAdd(&adj_x[i + 1], adj_cell[BLOCK + 1]);
    // END
    // GAP 4: the adjoint of lines 13 and 14, cell[0] = i > 0 ? x[i - 1] : 0.0f
    if (threadIdx.x == 0 && i > 0)
        atomicAdd(&adj_x[i - 1], adj_cell[0]);
    // END
    // GAP 5: the adjoint of line 12, cell[t] = i < n ? x[i] : 0.0f
    if (i < n)
        atomicAdd(&adj_x[i], adj_cell[t]);
    // END
}

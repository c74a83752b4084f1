// s2sad: --of y --wrt x
// Two threads add to each element of the tile.
#define BLOCK 64
__global__ void tile_reversed(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    tile[t] = i < n ? x[i] * x[i] : 1.0f;
    __syncthreads();
    if (i < n)
        y[i] = tile[BLOCK - 1 - t] * tile[t];
}

// s2sad: --of y --wrt x
// A transposition through a padded tile.
#define TILE 16
__global__ void transpose(const float *__restrict__ x, float *__restrict__ y, int w, int h)
{
    __shared__ float tile[TILE][TILE + 1];
    int c = blockIdx.x * TILE + threadIdx.x;
    int r = blockIdx.y * TILE + threadIdx.y;
    if (r < h && c < w)
        tile[threadIdx.y][threadIdx.x] = x[r * w + c];
    __syncthreads();
    c = blockIdx.y * TILE + threadIdx.x;
    r = blockIdx.x * TILE + threadIdx.y;
    if (r < w && c < h)
        y[r * h + c] = tile[threadIdx.x][threadIdx.y];
}

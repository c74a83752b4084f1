// s2sad: --of out --wrt in,k
// A 3 x 3 correlation of a picture from a tile in shared memory, with its halo.
#define TILE 8
#define HALO (TILE + 2)
extern "C" __global__ void conv2d_halo(const float *__restrict__ in, const float *__restrict__ k,
                                       float *__restrict__ out, int height, int width)
{
    __shared__ float tile[HALO][HALO];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x0 = blockIdx.x * TILE - 1;
    int y0 = blockIdx.y * TILE - 1;
    for (int p = ty * TILE + tx; p < HALO * HALO; p += TILE * TILE) {
        int x = x0 + p % HALO;
        int y = y0 + p / HALO;
        float v = 0.0f;
        if (x >= 0 && x < width && y >= 0 && y < height)
            v = in[y * width + x];
        tile[p / HALO][p % HALO] = v;
    }
    __syncthreads();
    int x = blockIdx.x * TILE + tx;
    int y = blockIdx.y * TILE + ty;
    if (x < width && y < height) {
        float sum = 0.0f;
        for (int dy = 0; dy < 3; ++dy)
            for (int dx = 0; dx < 3; ++dx)
                sum += k[3 * dy + dx] * tile[ty + dy][tx + dx];
        out[y * width + x] = sum;
    }
}

// s2sad: --of out --wrt image,taps --assume covers:width:height
// A pixel times a correlation with 3 x 3 taps, zero outside, by blocks that stage a tile with its halo.
#define COLS 8
#define ROWS 4
#define WIDE (COLS + 2)

extern "C" __global__ void sharpen_tile_covered(const float *__restrict__ image,
                                                const float *__restrict__ taps, float *__restrict__ out,
                                                int width, int height)
{
    __shared__ float tile[ROWS + 2][WIDE];
    int x = blockIdx.x * COLS + threadIdx.x;
    int y = blockIdx.y * ROWS + threadIdx.y;
    for (int q = threadIdx.y * COLS + threadIdx.x; q < (ROWS + 2) * WIDE; q += ROWS * COLS) {
        int col = blockIdx.x * COLS + q % WIDE - 1;
        int row = blockIdx.y * ROWS + q / WIDE - 1;
        bool inside = (unsigned)col < width && row >= 0 && row < height;
        tile[q / WIDE][q % WIDE] = inside ? image[row * width + col] : 0.0f;
    }
    __syncthreads();
    if (x < width && y < height) {
        float sum = 0.0f;
        for (int dy = 0; dy < 3; ++dy)
            for (int dx = 0; dx < 3; ++dx)
                sum += taps[3 * dy + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
        out[y * width + x] = sum * tile[threadIdx.y + 1][threadIdx.x + 1];
    }
}

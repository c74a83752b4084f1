// s2sad: --of v --wrt u
// A reaction and five points of diffusion; the threads at a tile's edges load its rims.
#define BX 8
#define BY 4
extern "C" __global__ void stencil5_tile(const float *__restrict__ u, float *__restrict__ v, float rate,
                                         int nx, int ny)
{
    __shared__ float tile[BY + 2][BX + 2];
    int x = blockIdx.x * BX + threadIdx.x;
    int y = blockIdx.y * BY + threadIdx.y;
    int tx = threadIdx.x + 1;
    int ty = threadIdx.y + 1;
    bool inside = x < nx && y < ny;
    tile[ty][tx] = inside ? u[y * nx + x] : 0.0f;
    if (threadIdx.x == 0)
        tile[ty][0] = x > 0 && y < ny ? u[y * nx + x - 1] : 0.0f;
    if (threadIdx.x == BX - 1)
        tile[ty][BX + 1] = x + 1 < nx && y < ny ? u[y * nx + x + 1] : 0.0f;
    if (threadIdx.y == 0)
        tile[0][tx] = y > 0 && x < nx ? u[(y - 1) * nx + x] : 0.0f;
    if (threadIdx.y == BY - 1)
        tile[BY + 1][tx] = y + 1 < ny && x < nx ? u[(y + 1) * nx + x] : 0.0f;
    __syncthreads();
    if (inside) {
        float c = tile[ty][tx];
        float spread = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] - 4.0f * c;
        v[y * nx + x] = c + 0.1f * spread + rate * c * (1.0f - c);
    }
}

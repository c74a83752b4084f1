// stencil5_tile_adj: adjoint of stencil5_tile (stencil5_tile.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform stencil5_tile.cu --of v --wrt u
//
// Call with u as it was before stencil5_tile. Seed adj_v with dJ/dv: it is left alone,
// because stencil5_tile stores each element of v at most once. dJ/du is added to adj_u.
// v is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   c   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_u[..]      atomicAdd      not proved that two threads never meet in u[y * nx +
//                                 x], u[y * nx + x - 1], u[y * nx + x + 1], u[(y - 1) *
//                                 nx + x] and others
//   adj_tile[..]   +=, by phase   each place hits an element once per block, with
//                                 barriers between them
//
// Assumed: the launch is 2-D, no two threads store the same v[y * nx + x], arrays don't
// overlap, no index wraps.

#define BY 4
#define BX 8

extern "C" __global__ void stencil5_tile_adj(const float *__restrict__ u, float *__restrict__ adj_u,
                                             float *__restrict__ v, const float *__restrict__ adj_v,
                                             float rate, int nx, int ny)
{
    __shared__ float tile[BY + 2][BX + 2];
    __shared__ float adj_tile[BY + 2][BX + 2];
    for (int q = threadIdx.y * blockDim.x + threadIdx.x; q < (BY + 2) * (BX + 2);
         q += blockDim.x * blockDim.y)
        adj_tile[q / (BX + 2)][q % (BX + 2)] = 0.0f;
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
    float adj_c;
    float adj_spread;
    if (inside) {
        float c = tile[ty][tx];

        // 27:  v[y * nx + x] = c + 0.1f * spread + rate * c * (1.0f - c)
        float g = adj_v[y * nx + x];
        adj_c = (1.0f + (1.0f - c) * rate - rate * c) * g;
        adj_spread = 0.1f * g;

        // 26:  float spread = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty +
        //      1][tx] - 4.0f * c
        adj_tile[ty][tx - 1] += adj_spread;
    }
    __syncthreads();
    if (inside)
        adj_tile[ty][tx + 1] += adj_spread;
    __syncthreads();
    if (inside)
        adj_tile[ty - 1][tx] += adj_spread;
    __syncthreads();
    if (inside) {
        adj_tile[ty + 1][tx] += adj_spread;
        adj_c -= 4.0f * adj_spread;
    }
    __syncthreads();
    if (inside)
        adj_tile[ty][tx] += adj_c;
    __syncthreads();
    if (threadIdx.y == BY - 1) {
        // 22:  tile[BY + 1][tx] = y + 1 < ny && x < nx ? u[(y + 1) * nx + x] : 0.0f
        if (y + 1 < ny && x < nx)
            atomicAdd(&adj_u[(y + 1) * nx + x], adj_tile[BY + 1][tx]);
    }
    if (threadIdx.y == 0) {
        // 20:  tile[0][tx] = y > 0 && x < nx ? u[(y - 1) * nx + x] : 0.0f
        if (y > 0 && x < nx)
            atomicAdd(&adj_u[(y - 1) * nx + x], adj_tile[0][tx]);
    }
    if (threadIdx.x == BX - 1) {
        // 18:  tile[ty][BX + 1] = x + 1 < nx && y < ny ? u[y * nx + x + 1] : 0.0f
        if (x + 1 < nx && y < ny)
            atomicAdd(&adj_u[y * nx + x + 1], adj_tile[ty][BX + 1]);
    }
    if (threadIdx.x == 0) {
        // 16:  tile[ty][0] = x > 0 && y < ny ? u[y * nx + x - 1] : 0.0f
        if (x > 0 && y < ny)
            atomicAdd(&adj_u[y * nx + x - 1], adj_tile[ty][0]);
    }

    // 14:  tile[ty][tx] = inside ? u[y * nx + x] : 0.0f
    if (inside)
        atomicAdd(&adj_u[y * nx + x], adj_tile[ty][tx]);
}

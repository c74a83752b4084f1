// tissue_step_adj: adjoint of tissue_step (cardiac_tissue.cu:19).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform cardiac_tissue.cu --of v,w --wrt v_old,w,sigma
//
// Call with v_old, sigma and w as they were before tissue_step. Seed adj_v with dJ/dv:
// it is left alone, because tissue_step stores each element of v at most once. adj_w
// comes in as dJ/dw after tissue_step and goes out as dJ/dw before it, element by
// element. dJ/dv_old is added to adj_v_old; dJ/dsigma is added to adj_sigma. v is
// neither read nor written. w is only read.
//
// What the reverse sweep needs, and where it finds it:
//   here, lap, w0   reloaded   still in its variable
//   sigma[..]       reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_v_old[..]   atomicAdd       not proved that two threads never meet in v_old[jc
//                                   * nx + ic], v_old[jc * nx + max(i - 1, 0)],
//                                   v_old[jc * nx + min(i + 1, nx - 1)], v_old[max(j -
//                                   1, 0) * nx + ic] and others
//   adj_w[..]       +=, one owner   one thread per element, the one that stores v[c]
//   adj_sigma[..]   +=, one owner   one thread per element, the one that stores v[c]
//   adj_tile[..]    +=, by phase    each place hits an element once per block, with
//                                   barriers between them
//
// Of the template tissue_step this is the instance with Kinetics = AlievPanfilov.
//
// Assumed: the launch is 2-D, no two threads store the same v[c], no two threads store
// the same w[c], arrays don't overlap, no index wraps.

#define TILE 8

struct AlievPanfilov {
    float k, a, eps, mu1, mu2;
};

extern "C" __global__ void tissue_step_adj(const float *__restrict__ v_old,
                                           float *__restrict__ adj_v_old,
                                           const float *__restrict__ sigma,
                                           float *__restrict__ adj_sigma,
                                           float *__restrict__ v, const float *__restrict__ adj_v,
                                           float *__restrict__ w, float *__restrict__ adj_w,
                                           AlievPanfilov cell, float dt, float h, int nx, int ny)
{
    __shared__ float tile[TILE + 2][TILE + 2];
    __shared__ float adj_tile[TILE + 2][TILE + 2];
    for (int q = threadIdx.y * blockDim.x + threadIdx.x; q < (TILE + 2) * (TILE + 2);
         q += blockDim.x * blockDim.y)
        adj_tile[q / (TILE + 2)][q % (TILE + 2)] = 0.0f;
    const int tx = threadIdx.x + 1;
    const int ty = threadIdx.y + 1;
    const int i = blockIdx.x * TILE + threadIdx.x;
    const int j = blockIdx.y * TILE + threadIdx.y;
    const int ic = min(i, nx - 1);
    const int jc = min(j, ny - 1);

    // No flux through the border: the ghost cells mirror the edge.
    tile[ty][tx] = v_old[jc * nx + ic];
    if (threadIdx.x == 0)
        tile[ty][0] = v_old[jc * nx + max(i - 1, 0)];
    if (threadIdx.x == TILE - 1)
        tile[ty][TILE + 1] = v_old[jc * nx + min(i + 1, nx - 1)];
    if (threadIdx.y == 0)
        tile[0][tx] = v_old[max(j - 1, 0) * nx + ic];
    if (threadIdx.y == TILE - 1)
        tile[TILE + 1][tx] = v_old[min(j + 1, ny - 1) * nx + ic];
    __syncthreads();
    float adj_here;
    float adj_lap;
    if (i < nx && j < ny) {
        const int c = j * nx + i;
        const float here = tile[ty][tx];
        const float lap = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]
                          - 4.0f * here;
        const float w0 = w[c];

        // 48:  w[c] = w0 + dt * cell.recovery(here, w0)
        float g = adj_w[c];
        float adj_w0 = g;
        float g_2 = dt * g;
        float g_3 = (-w0 - cell.k * here * (here - cell.a - 1.0f)) * g_2 / (here + cell.mu2);
        adj_w0 += cell.mu1 * g_3;
        adj_here = -(cell.mu1 * w0 / (here + cell.mu2) * g_3);
        float g_4 = (cell.eps + cell.mu1 * w0 / (here + cell.mu2)) * g_2;
        adj_w0 -= g_4;
        adj_here -= ((here - cell.a - 1.0f) * cell.k + cell.k * here) * g_4;

        // 47:  v[c] = here + dt * (sigma[c] * lap / (h * h) + cell.current(here, w0))
        float g_5 = adj_v[c];
        adj_here += g_5;
        float g_6 = dt * g_5;
        float g_7 = g_6 / (h * h);
        adj_sigma[c] += lap * g_7;
        adj_lap = sigma[c] * g_7;
        float g_8 = (here - 1.0f) * g_6;
        adj_here += -cell.k * here * g_8 - (here - cell.a) * cell.k * g_8
                    + -cell.k * here * (here - cell.a) * g_6;
        adj_here -= w0 * g_6;
        adj_w0 -= here * g_6;

        // 46:  const float w0 = w[c]
        adj_w[c] = adj_w0;
        // 45:  const float lap = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty +
        //      1][tx] - 4.0f * here
        adj_tile[ty][tx - 1] += adj_lap;
    }
    __syncthreads();
    if (i < nx && j < ny)
        adj_tile[ty][tx + 1] += adj_lap;
    __syncthreads();
    if (i < nx && j < ny)
        adj_tile[ty - 1][tx] += adj_lap;
    __syncthreads();
    if (i < nx && j < ny) {
        adj_tile[ty + 1][tx] += adj_lap;
        adj_here -= 4.0f * adj_lap;
    }
    __syncthreads();
    if (i < nx && j < ny)
        adj_tile[ty][tx] += adj_here;
    __syncthreads();
    if (threadIdx.y == TILE - 1) {
        // 39:  tile[TILE + 1][tx] = v_old[min(j + 1, ny - 1) * nx + ic]
        atomicAdd(&adj_v_old[min(j + 1, ny - 1) * nx + ic], adj_tile[TILE + 1][tx]);
    }
    if (threadIdx.y == 0) {
        // 37:  tile[0][tx] = v_old[max(j - 1, 0) * nx + ic]
        atomicAdd(&adj_v_old[max(j - 1, 0) * nx + ic], adj_tile[0][tx]);
    }
    if (threadIdx.x == TILE - 1) {
        // 35:  tile[ty][TILE + 1] = v_old[jc * nx + min(i + 1, nx - 1)]
        atomicAdd(&adj_v_old[jc * nx + min(i + 1, nx - 1)], adj_tile[ty][TILE + 1]);
    }
    if (threadIdx.x == 0) {
        // 33:  tile[ty][0] = v_old[jc * nx + max(i - 1, 0)]
        atomicAdd(&adj_v_old[jc * nx + max(i - 1, 0)], adj_tile[ty][0]);
    }

    // 31:  tile[ty][tx] = v_old[jc * nx + ic]
    atomicAdd(&adj_v_old[jc * nx + ic], adj_tile[ty][tx]);
}

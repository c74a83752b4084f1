// Reaction-diffusion: a step of an excitable medium, tiled, with the kinetics as a template parameter.
// After R. Aliev and A. Panfilov, "A simple two-variable model of cardiac excitation", Chaos, Solitons &
// Fractals 7 (1996); tiles with halos as in P. Micikevicius, "3D finite difference computation on GPUs" (2009).

#define TILE 8

struct AlievPanfilov {
    float k, a, eps, mu1, mu2;

    __device__ float current(float v, float w) const { return -k * v * (v - a) * (v - 1.0f) - v * w; }
    __device__ float recovery(float v, float w) const
    {
        return (eps + mu1 * w / (v + mu2)) * (-w - k * v * (v - a - 1.0f));
    }
};

// s2sad: --of v,w --wrt v_old,w,sigma
template <class Kinetics>
__global__ void tissue_step(const float *__restrict__ v_old, const float *__restrict__ sigma,
                            float *__restrict__ v, float *__restrict__ w, Kinetics cell, float dt, float h,
                            int nx, int ny)
{
    __shared__ float tile[TILE + 2][TILE + 2];

    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int i = blockIdx.x * TILE + threadIdx.x;
    const int j = blockIdx.y * TILE + threadIdx.y;
    const int ic = min(i, nx - 1), jc = min(j, ny - 1);

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

    if (i < nx && j < ny) {
        const int c = j * nx + i;
        const float here = tile[ty][tx];
        const float lap = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] - 4.0f * here;
        const float w0 = w[c];
        v[c] = here + dt * (sigma[c] * lap / (h * h) + cell.current(here, w0));
        w[c] = w0 + dt * cell.recovery(here, w0);
    }
}

template __global__ void tissue_step<AlievPanfilov>(const float *, const float *, float *, float *, AlievPanfilov,
                                                    float, float, int, int);

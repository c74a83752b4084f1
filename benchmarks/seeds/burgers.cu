// Burgers' equation in one dimension by `steps` upwind steps. A block is one line of CELLS cells in shared
// memory, a thread one cell; the ends are fixed.
#define CELLS 64

// s2sad: --of end --wrt start
extern "C" __global__ void burgers(const float *__restrict__ start, float *__restrict__ end, float r, float nu,
                                   int steps)
{
    __shared__ float u[CELLS];
    const int i = threadIdx.x;
    u[i] = start[blockIdx.x * CELLS + i];
    __syncthreads();
    for (int t = 0; t < steps; ++t) {
        float next = u[i];
        if (i > 0 && i < CELLS - 1) {
            const float left = u[i] - u[i - 1], right = u[i + 1] - u[i];
            next += nu * (right - left) - r * u[i] * (u[i] > 0.0f ? left : right);
        }
        __syncthreads();
        u[i] = next;
        __syncthreads();
    }
    end[blockIdx.x * CELLS + i] = u[i];
}

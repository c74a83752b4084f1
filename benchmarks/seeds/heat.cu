// The nonlinear heat equation in one dimension by `steps` explicit steps; the conductivity grows with the
// temperature. A block is one line of CELLS cells in shared memory, a thread one cell; the ends are fixed.
#define CELLS 64

// s2sad: --of end --wrt start
extern "C" __global__ void heat(const float *__restrict__ start, float *__restrict__ end, float r, float slope,
                                int steps)
{
    __shared__ float u[CELLS];
    const int i = threadIdx.x;
    u[i] = start[blockIdx.x * CELLS + i];
    __syncthreads();
    for (int t = 0; t < steps; ++t) {
        float next = u[i];
        if (i > 0 && i < CELLS - 1)
            next += r * (1.0f + slope * u[i]) * (u[i - 1] - 2.0f * u[i] + u[i + 1]);
        __syncthreads();
        u[i] = next;
        __syncthreads();
    }
    end[blockIdx.x * CELLS + i] = u[i];
}

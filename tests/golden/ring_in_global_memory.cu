// s2sad: --of u --wrt u
// Threads of a block hand each other values through global memory.
__global__ void steps(float *__restrict__ u, int n, int steps)
{
    int t = threadIdx.x;
    for (int s = 0; s < steps; ++s) {
        float l = u[blockIdx.x * n + (t + n - 1) % n];
        float c = u[blockIdx.x * n + t];
        __syncthreads();
        u[blockIdx.x * n + t] = c + 0.1f * l * c;
        __syncthreads();
    }
}

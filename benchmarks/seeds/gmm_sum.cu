// Gaussian mixture, fourth kernel: adds the points' logarithms to the objective. Blocks of BLOCK threads.
#define BLOCK 128

// s2sad: --of loss --wrt lse
extern "C" __global__ void gmm_sum(const double *__restrict__ lse, double *__restrict__ loss, int n)
{
    __shared__ double part[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    part[threadIdx.x] = i < n ? lse[i] : 0.0;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(loss, part[0]);
}

// s2sad: --of energy --wrt w,scale
// As many bins as the caller says, in memory that the launch gives.
extern "C" __global__ void dynamic_bins(const int *key, const double *w, double scale,
                                        double *energy, int n, int bins)
{
    extern __shared__ double mass[];
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        mass[b] = 0.0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mass[key[i]], scale * w[i]);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        atomicAdd(&energy[b / 2], mass[b] * mass[b]);
}

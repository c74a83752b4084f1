// s2sad: --of mass --wrt w
// The histogram is private to the block, and flushed once.
#define BINS 16

extern "C" __global__ void histogram_block(const int *key, const float *w, float *mass, int n)
{
    __shared__ float bins[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        bins[b] = 0.0f;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[key[i]], w[i] * w[i]);
    __syncthreads();

    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&mass[b], bins[b]);
}

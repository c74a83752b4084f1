// s2sad: --of y --wrt x,w
// A histogram that every iteration of a loop fills anew and then reads.
#define BINS 4

extern "C" __global__ void tiled_counts(const float *x, const float *w, const int *key, float *y,
                                        int tiles, int width)
{
    __shared__ float bins[BINS];
    int t = threadIdx.x;
    float acc = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        int i = k * blockDim.x + t;
        if (t < BINS)
            bins[t] = 0.0f;
        __syncthreads();
        if (t < width)
            atomicAdd(&bins[key[i]], x[i] * w[blockIdx.x]);
        __syncthreads();
        acc += bins[t % BINS] * bins[key[i]];
        __syncthreads();
    }
    y[blockIdx.x * blockDim.x + t] = acc;
}

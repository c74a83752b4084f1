// s2sad: --of y --wrt x,w
// A tile in shared memory with a halo: the stencil of real kernels.
#define BLOCK 64

extern "C" __global__ void smooth(const float *x, const float *w, float *y, int n)
{
    __shared__ float tile[BLOCK + 2];
    int t = threadIdx.x + 1;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    tile[t] = i < n ? x[i] : 0.0f;
    if (threadIdx.x == 0)
        tile[0] = i > 0 ? x[i - 1] : 0.0f;
    if (threadIdx.x == BLOCK - 1)
        tile[BLOCK + 1] = i + 1 < n ? x[i + 1] : 0.0f;
    __syncthreads();
    if (i < n) {
        float s = w[0] * tile[t - 1] + w[1] * tile[t] + w[2] * tile[t + 1];
        y[i] = tanhf(s);
    }
}

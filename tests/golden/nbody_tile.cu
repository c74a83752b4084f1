// s2sad: --of ax --wrt px,m
// Forces of all bodies on each, by tiles.
#define TILE 32
__global__ void nbody(const float *__restrict__ px, const float *__restrict__ m, float *__restrict__ ax, int n)
{
    __shared__ float sx[TILE], sm[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float xi = i < n ? px[i] : 0.0f;
    float acc = 0.0f;
    for (int tile = 0; tile < n; tile += TILE) {
        int j = tile + threadIdx.x;
        sx[threadIdx.x] = j < n ? px[j] : 0.0f;
        sm[threadIdx.x] = j < n ? m[j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            float d = sx[k] - xi;
            float r2 = d * d + 0.01f;
            acc += sm[k] * d / (r2 * sqrtf(r2));
        }
        __syncthreads();
    }
    if (i < n)
        ax[i] = acc;
}

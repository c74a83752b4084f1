// s2sad: --of energy --wrt sites
// Pairs within a block, through a tile of structs in shared memory.
#define BLOCK 32
struct Site {
    float x, y;
    float q;
};

__global__ void pairs(const Site *sites, float *energy, int n)
{
    __shared__ Site tile[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    Site nobody = {0.0f, 0.0f, 0.0f};
    tile[t] = i < n ? sites[i] : nobody;
    __syncthreads();

    float e = 0.0f;
    for (int k = 0; k < BLOCK; ++k) {
        float dx = tile[k].x - tile[t].x;
        float dy = tile[k].y - tile[t].y;
        e += tile[k].q * expf(-(dx * dx + dy * dy));
    }
    if (i < n)
        energy[i] = tile[t].q * e;
}

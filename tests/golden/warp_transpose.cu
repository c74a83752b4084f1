// s2sad: --of y --wrt x
// Lanes of a warp hand each other values through shared memory: no barrier of the block is needed.
extern "C" __global__ void warp_transpose(const float *x, float *y, int n)
{
    __shared__ float tile[2][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    tile[warp][lane] = i < n ? x[i] : 0.0f;
    __syncwarp();
    float v = tile[warp][31 - lane];
    __syncwarp();
    tile[warp][lane] = v * tile[warp][lane];
    __syncwarp(0xffffffffu);
    v += tile[warp][lane ^ 1];
    if (i < n)
        y[i] = v * v;
}

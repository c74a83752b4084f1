// s2sad: --of c --wrt a,b --assume covers:cols:rows
// A product of matrices by tiles, scaled; the launch is declared to cover the result.
#define TILE 8

extern "C" __global__ void product_tile_covered(const float *__restrict__ a, const float *__restrict__ b,
                                                float *__restrict__ c, int rows, int cols, int depth,
                                                float scale)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx, row = blockIdx.y * TILE + ty;
    float sum = 0.0f;
    for (int d0 = 0; d0 < depth; d0 += TILE) {
        left[ty][tx] = row < rows && d0 + tx < depth ? a[row * depth + d0 + tx] : 0.0f;
        right[ty][tx] = d0 + ty < depth && col < cols ? b[(d0 + ty) * cols + col] : 0.0f;
        __syncthreads();
        for (int d = 0; d < TILE; ++d)
            sum += left[ty][d] * right[d][tx];
        __syncthreads();
    }
    if (row < rows && col < cols)
        c[row * cols + col] = scale * sum;
}

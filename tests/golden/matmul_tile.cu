// s2sad: --of C --wrt A,B
// A tiled product: both tiles are filled anew in each iteration, and so in the reverse sweep.
#define TILE 16
extern "C" __global__ void matmul_tile(const float *__restrict__ A, const float *__restrict__ B,
                                       float *__restrict__ C, int M, int N, int K)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        a[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        b[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int j = 0; j < TILE; ++j)
            sum += a[ty][j] * b[j][tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}

// C = A B with two buffers of tiles in shared memory: while one is multiplied, the other is loaded. Sizes are
// multiples of TILE; blocks of TILE x TILE threads.
#define TILE 8

// s2sad: --of C --wrt A,B
extern "C" __global__ void gemm_double_buffer(const float *__restrict__ A, const float *__restrict__ B,
                                              float *__restrict__ C, int N, int K)
{
    __shared__ float a[2][TILE][TILE], b[2][TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    a[0][ty][tx] = A[row * K + tx];
    b[0][ty][tx] = B[ty * N + column];
    __syncthreads();
    float sum = 0.0f;
    const int tiles = K / TILE;
    for (int t = 0; t < tiles; ++t) {
        const int now = t & 1;
        if (t + 1 < tiles) {
            a[now ^ 1][ty][tx] = A[row * K + (t + 1) * TILE + tx];
            b[now ^ 1][ty][tx] = B[((t + 1) * TILE + ty) * N + column];
        }
        for (int k = 0; k < TILE; ++k)
            sum += a[now][ty][k] * b[now][k][tx];
        __syncthreads();
    }
    C[row * N + column] = sum;
}

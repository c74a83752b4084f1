// Adjoint of gemm_double_buffer: adj_A += adj_C B^T and adj_B += A^T adj_C. The blocks of a row divide its tiles of
// adj_A among themselves, those of a column its tiles of adj_B: each tile has one owner, which needs no atomics. Two
// buffers of tiles are used in turn, so that a step has one barrier. The index that is summed over is the last one in
// shared memory: it is read in fours, and with PITCH without bank conflicts.
#define TILE 8
#define PITCH (TILE + 4)

extern "C" __global__ void gemm_double_buffer_adj(const float *__restrict__ A,
                                                  float *__restrict__ adj_A,
                                                  const float *__restrict__ B,
                                                  float *__restrict__ adj_B,
                                                  float *__restrict__ C,
                                                  const float *__restrict__ adj_C, int N, int K)
{
    __shared__ __align__(16) float left[2][TILE][PITCH], right[2][TILE][PITCH];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE, M = gridDim.y * TILE;
    int now = 0;

    // adj_A[row + y][k + x] += sum over j of adj_C[row + y][j] * B[k + x][j]
    for (int k = blockIdx.x * TILE; k < K; k += gridDim.x * TILE) {
        float sum = 0.0f;
        for (int j = 0; j < N; j += TILE, now ^= 1) {
            left[now][ty][tx] = adj_C[(row + ty) * N + j + tx];
            right[now][ty][tx] = B[(k + ty) * N + j + tx];
            __syncthreads();
            for (int e = 0; e < TILE; ++e)
                sum += left[now][ty][e] * right[now][tx][e];
        }
        adj_A[(row + ty) * K + k + tx] += sum;
    }

    // adj_B[k + y][column + x] += sum over i of A[i][k + y] * adj_C[i][column + x]
    for (int k = blockIdx.y * TILE; k < K; k += gridDim.y * TILE) {
        float sum = 0.0f;
        for (int i = 0; i < M; i += TILE, now ^= 1) {
            left[now][tx][ty] = A[(i + ty) * K + k + tx];
            right[now][tx][ty] = adj_C[(i + ty) * N + column + tx];
            __syncthreads();
            for (int e = 0; e < TILE; ++e)
                sum += left[now][ty][e] * right[now][tx][e];
        }
        adj_B[(k + ty) * N + column + tx] += sum;
    }
}

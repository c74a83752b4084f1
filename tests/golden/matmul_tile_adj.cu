// matmul_tile_adj: adjoint of matmul_tile (matmul_tile.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform matmul_tile.cu --of C --wrt A,B
//
// Call with A and B as they were before matmul_tile. Seed adj_C with dJ/dC: it is left
// alone, because matmul_tile stores each element of C at most once. dJ/dA is added to
// adj_A; dJ/dB is added to adj_B. C is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   b[..], a[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_A[..]   atomicAdd      threads that differ in blockIdx.x only read the same
//                              A[row * K + k0 + tx]
//   adj_B[..]   atomicAdd      threads that differ in blockIdx.y only read the same
//                              B[(k0 + ty) * N + col]
//   adj_a[..]   +=, gathered   a thread collects what all threads of its row owe to its
//                              element of a
//   adj_b[..]   +=, gathered   a thread collects what all threads of its row owe to its
//                              element of b
//
// Assumed: the launch is 2-D, no two threads store the same C[row * N + col], arrays
// don't overlap, no index wraps.

#define TILE 16

extern "C" __global__ void matmul_tile_adj(const float *__restrict__ A, float *__restrict__ adj_A,
                                           const float *__restrict__ B, float *__restrict__ adj_B,
                                           float *__restrict__ C, const float *__restrict__ adj_C,
                                           int M, int N, int K)
{
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];
    __shared__ float adj_sum_tile[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float adj_sum = 0.0f;
    if (row < M && col < N) {
        // 20:  C[row * N + col] = sum
        adj_sum = adj_C[row * N + col];
    }
    adj_sum_tile[ty][tx] = adj_sum;
    for (int k0 = (K + 15) / TILE * TILE - 16; k0 >= 0; k0 -= TILE) {
        a[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        b[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        float adj_a_sum = 0.0f;
        float adj_b_sum = 0.0f;
        // what the threads along x and y owe to this thread's elements
        for (int j = 0; j < TILE; ++j) {
            // 16:  sum += a[ty][j] * b[j][tx]
            adj_a_sum += b[tx][j] * adj_sum_tile[ty][j];
            adj_b_sum += a[j][ty] * adj_sum_tile[j][tx];
        }
        __syncthreads();

        // 13:  b[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f
        if (k0 + ty < K && col < N)
            atomicAdd(&adj_B[(k0 + ty) * N + col], adj_b_sum);
        // 12:  a[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f
        if (row < M && k0 + tx < K)
            atomicAdd(&adj_A[row * K + k0 + tx], adj_a_sum);
    }
}

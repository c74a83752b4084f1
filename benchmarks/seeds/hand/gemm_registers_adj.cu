// Adjoint of gemm_registers: adj_A += adj_C B^T and adj_B += A^T adj_C. As adj_C becomes zero, only one block may read
// a tile of it: the tile stays in shared memory, and for each DEPTH of k the block adds its share to adj_A and adj_B by
// atomics. Half of the threads compute adj_A, the others adj_B, both as
//   share[k][m] = sum over p of factor[p][k] * seed[p][m],
// where p and m are column and row of the tile for adj_A, row and column for adj_B.
#define TILE 32
#define DEPTH 8
#define PER 4                                        // values of m of a thread
#define PER_K 2                                      // and values of k
#define THREADS ((TILE / PER) * (TILE / PER))        // half of them: (TILE / PER) * (DEPTH / PER_K)
#define PITCH_K (DEPTH + 2)                          // fewer bank conflicts of transposed stores
#define PITCH_M (TILE + 4)

extern "C" __global__ void gemm_registers_adj(const float *__restrict__ A,
                                              float *__restrict__ adj_A,
                                              const float *__restrict__ B,
                                              float *__restrict__ adj_B,
                                              float *__restrict__ C, float *__restrict__ adj_C,
                                              int N, int K)
{
    __shared__ __align__(16) float seed[2][TILE][PITCH_M], factor[2][TILE][PITCH_K];
    const int thread = threadIdx.y * (TILE / PER) + threadIdx.x;
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    const int side = thread / (THREADS / 2), lane = thread % (THREADS / 2);  // side: 0 for adj_A, 1 for adj_B
    const int m = lane % (TILE / PER) * PER, k = lane / (TILE / PER) * PER_K;
    float *out = side == 0 ? &adj_A[(row + m) * K + k] : &adj_B[k * N + column + m];
    const int next_m = side == 0 ? K : 1, next_k = side == 0 ? 1 : N;

    for (int e = thread; e < TILE * TILE; e += THREADS) {
        const int r = e / TILE, c = e % TILE;
        const float g = adj_C[(row + r) * N + column + c];
        adj_C[(row + r) * N + column + c] = 0.0f;
        seed[0][c][r] = g;
        seed[1][r][c] = g;
    }
    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        for (int e = thread; e < DEPTH * TILE; e += THREADS) {
            factor[0][e % TILE][e / TILE] = B[(k0 + e / TILE) * N + column + e % TILE];
            factor[1][e / DEPTH][e % DEPTH] = A[(row + e / DEPTH) * K + k0 + e % DEPTH];
        }
        __syncthreads();
        float share[PER_K][PER] = {};
        for (int p = 0; p < TILE; ++p)
            for (int a = 0; a < PER_K; ++a)
                for (int b = 0; b < PER; ++b)
                    share[a][b] += factor[side][p][k + a] * seed[side][p][m + b];
        for (int a = 0; a < PER_K; ++a)
            for (int b = 0; b < PER; ++b)
                atomicAdd(&out[(k0 + a) * next_k + b * next_m], share[a][b]);
        __syncthreads();
    }
}

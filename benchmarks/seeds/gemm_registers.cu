// C = A B with tiles in shared memory and PER x PER elements of C in the registers of each thread. Sizes are
// multiples of TILE; blocks of (TILE / PER) x (TILE / PER) threads.
#define TILE 32
#define DEPTH 8
#define PER 4
#define THREADS ((TILE / PER) * (TILE / PER))

// s2sad: --of C --wrt A,B
extern "C" __global__ void gemm_registers(const float *__restrict__ A, const float *__restrict__ B,
                                          float *__restrict__ C, int N, int K)
{
    __shared__ float a[DEPTH][TILE], b[DEPTH][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y, thread = ty * (TILE / PER) + tx;
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    float sum[PER][PER];
    for (int r = 0; r < PER; ++r)
        for (int c = 0; c < PER; ++c)
            sum[r][c] = 0.0f;
    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        for (int e = thread; e < DEPTH * TILE; e += THREADS) {
            a[e % DEPTH][e / DEPTH] = A[(row + e / DEPTH) * K + k0 + e % DEPTH];
            b[e / TILE][e % TILE] = B[(k0 + e / TILE) * N + column + e % TILE];
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; ++k) {
            float left[PER], right[PER];
            for (int r = 0; r < PER; ++r) {
                left[r] = a[k][ty * PER + r];
                right[r] = b[k][tx * PER + r];
            }
            for (int r = 0; r < PER; ++r)
                for (int c = 0; c < PER; ++c)
                    sum[r][c] += left[r] * right[c];
        }
        __syncthreads();
    }
    for (int r = 0; r < PER; ++r)
        for (int c = 0; c < PER; ++c)
            C[(row + ty * PER + r) * N + column + tx * PER + c] = sum[r][c];
}

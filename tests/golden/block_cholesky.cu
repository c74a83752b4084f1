// s2sad: --of a --wrt a
// A small matrix for each block is factored in shared memory, column by column.
#define N 6
extern "C" __global__ void block_cholesky(float *__restrict__ a, int count)
{
    __shared__ float l[N][N];
    int i = threadIdx.y;
    int j = threadIdx.x;
    int base = blockIdx.x * N * N;
    l[i][j] = a[base + i * N + j];
    __syncthreads();
    for (int k = 0; k < N; ++k) {
        if (i == k && j == k)
            l[k][k] = sqrtf(l[k][k]);
        __syncthreads();
        if (i > k && j == k)
            l[i][k] = l[i][k] / l[k][k];
        __syncthreads();
        if (i > k && j > k && j <= i)
            l[i][j] -= l[i][k] * l[j][k];
        __syncthreads();
    }
    a[base + i * N + j] = j <= i ? l[i][j] : 0.0f;
}

// s2sad: --of A --wrt A
// A small LU decomposition in shared memory, one matrix per block.
#define N 8
__global__ void lu(float *__restrict__ A, int batch)
{
    __shared__ float m[N][N + 1];
    int t = threadIdx.x;
    for (int k = 0; k < N; ++k)
        m[k][t] = A[(blockIdx.x * N + k) * N + t];
    __syncthreads();
    for (int k = 0; k < N - 1; ++k) {
        if (t > k)
            m[t][k] = m[t][k] / m[k][k];
        __syncthreads();
        if (t > k)
            for (int j = k + 1; j < N; ++j)
                m[t][j] = m[t][j] - m[t][k] * m[k][j];
        __syncthreads();
    }
    for (int k = 0; k < N; ++k)
        A[(blockIdx.x * N + k) * N + t] = m[k][t];
}
